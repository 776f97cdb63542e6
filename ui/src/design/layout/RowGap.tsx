import table from "../components/table.module.css";

/** Stands for the rows of a table that are out of sight and not made. */
export function RowGap({ height_px, columns }: { height_px: number; columns: number }) {
  if (height_px === 0) return null;
  return (
    <tr aria-hidden="true" className={table.gap}>
      <td colSpan={columns} style={{ height: height_px }} />
    </tr>
  );
}
