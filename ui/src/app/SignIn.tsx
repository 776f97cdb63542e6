import { useState } from "react";
import { Button } from "../design/components/Button";
import { t } from "../locales/i18n";
import styles from "./SignIn.module.css";

type SignInProps = {
  /** True if the station did not take the token that was given last. */
  refused: boolean;
  onToken: (token: string) => void;
};

/** Asks for the token that the server printed when it started. */
export function SignIn({ refused, onToken }: SignInProps) {
  const [token, setToken] = useState("");
  // The refusal is about the token before: what is typed now has not been tried.
  const isRefused = refused && token === "";
  return (
    <main className={styles.page}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") onToken(token.trim());
        }}
      >
        <h1 className={styles.title}>Quarterdeck</h1>
        <label className={styles.label} htmlFor="token">
          {t("sign_in.token")}
        </label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          className={styles.input}
          aria-invalid={isRefused}
          aria-describedby={isRefused ? "token-refused token-hint" : "token-hint"}
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        {refused && (
          <p id="token-refused" role="alert">
            {t("sign_in.refused")}
          </p>
        )}
        <p id="token-hint" className={styles.hint}>
          {t("sign_in.hint")}
        </p>
        <Button type="submit" look="primary" disabled={token.trim() === ""}>
          {t("sign_in.go")}
        </Button>
      </form>
    </main>
  );
}
