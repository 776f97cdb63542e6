import { Component, type ReactNode } from "react";
import { t } from "../../locales/i18n";
import { Button } from "./Button";
import { loadFailedAnew } from "./late-code";
import { Notice } from "./Notice";

type Props = {
  /** Null for the window itself: everything but STOP ALL. */
  area: string | null;
  /** Puts what stands for a failed panel where the panel was: a grid has no room for it anywhere else. */
  className?: string | undefined;
  /** True where the panel is a bar, in which one line has room. */
  isBar?: boolean;
  /** The contents of the children. Something else is tried, whatever failed before. */
  shows?: string;
  children: ReactNode;
};
type State = { failed: Error | null; shows: string | undefined };

/** Keeps one failed panel from taking another with it (U-209). */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null, shows: this.props.shows };

  static getDerivedStateFromError(failed: Error): Partial<State> {
    return { failed };
  }

  static getDerivedStateFromProps({ shows }: Props, before: State): State | null {
    return shows === before.shows ? null : { failed: null, shows };
  }

  override componentDidUpdate({ shows }: Props): void {
    if (shows !== this.props.shows) loadFailedAnew();
  }

  #retry = () => {
    loadFailedAnew();
    this.setState({ failed: null });
  };

  override render() {
    if (this.state.failed === null) return this.props.children;
    const { area, className, isBar = false } = this.props;
    const notice = (
      <Notice
        title={area === null ? t("boundary.window") : t("boundary.title", { area })}
        detail={this.state.failed.message}
        look={isBar ? "line" : "plain"}
      >
        <Button size={isBar ? "row" : "normal"} onClick={this.#retry}>
          {t("common.retry")}
        </Button>
      </Notice>
    );
    return className === undefined ? notice : <div className={className}>{notice}</div>;
  }
}
