import { Fragment, type ReactNode, useEffect, useState } from "react";
import { I18nProvider } from "react-aria-components";
import { formatLocale, type Language, useLanguage } from "../host/language";
import { speak } from "../locales/i18n";

/** Everything below speaks the language of the window, and is made anew when another is chosen. */
export function InLanguage({ children }: { children: ReactNode }) {
  const language = useLanguage();
  const [spoken, setSpoken] = useState<Language | null>(language === "en" ? language : null);

  // Synchronises with the catalogues: a sentence is the catalogue's, so nothing is shown before it is there.
  useEffect(() => {
    let newest = true;
    void speak(language, formatLocale()).then(() => newest && setSpoken(language));
    return () => {
      newest = false;
    };
  }, [language]);

  if (spoken === null) return null;
  return (
    <I18nProvider locale={formatLocale() ?? spoken}>
      <Fragment key={spoken}>{children}</Fragment>
    </I18nProvider>
  );
}
