import { Component, type ReactNode } from "react";
import { t } from "../../locales/i18n";
import { Button } from "./Button";
import { Notice } from "./Notice";

type Props = { area: string; children: ReactNode };
type State = { failed: Error | null };

/** Keeps one failed panel from taking another with it (U-209). */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null };

  static getDerivedStateFromError(failed: Error): State {
    return { failed };
  }

  override render() {
    if (this.state.failed === null) return this.props.children;
    return (
      <Notice title={t("boundary.title", { area: this.props.area })} detail={this.state.failed.message}>
        <Button onClick={() => this.setState({ failed: null })}>{t("common.retry")}</Button>
      </Notice>
    );
  }
}
