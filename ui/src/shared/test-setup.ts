// What every component test needs: an unmounted page after each test, and the catalogue.

import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";
import "./i18n";

afterEach(cleanup);
