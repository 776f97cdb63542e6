// Under LANG=C.UTF-8 WebKitGTK reports the language "C". `Intl` throws on it, and a library that formats a number while
// it is imported leaves the window blank. A classic script in front of every module repairs the two properties once.
(function () {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(Navigator.prototype, "language", { configurable: true, get: () => "en-US" });
    Object.defineProperty(Navigator.prototype, "languages", { configurable: true, get: () => ["en-US"] });
  }
})();
