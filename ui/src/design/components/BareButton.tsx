import { type ComponentProps, type FocusEvent, type MouseEvent, useState } from "react";

/**
 * A button without a look that never submits by itself. One that is shut while it has the focus keeps the focus: it
 * says so to assistive technology, and a press does nothing and sends no form.
 */
export function BareButton(props: ComponentProps<"button">) {
  const [focused, setFocused] = useState(false);
  const { disabled = false, onClick, onFocus, onBlur } = props;
  const said = props["aria-disabled"] === true;
  // A browser drops the focus of a button that becomes disabled, and the next Tab begins at the top of the page.
  const kept = disabled && focused;
  return (
    <button
      type="button"
      {...props}
      disabled={disabled && !kept}
      aria-disabled={said || kept || undefined}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        if (!disabled && !said) return onClick?.(event);
        event.preventDefault();
        event.stopPropagation();
      }}
      onFocus={(event: FocusEvent<HTMLButtonElement>) => {
        setFocused(true);
        onFocus?.(event);
      }}
      onBlur={(event: FocusEvent<HTMLButtonElement>) => {
        // A window that goes to the background blurs its button too, and gives it the focus back afterwards.
        setFocused(document.activeElement === event.currentTarget);
        onBlur?.(event);
      }}
    />
  );
}
