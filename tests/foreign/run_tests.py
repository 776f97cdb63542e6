"""Runs every test here and closes with a line that counts them."""

import sys
import unittest

suite = unittest.defaultTestLoader.discover(".", pattern=f"test_{sys.argv[1] if sys.argv[1:] else '*'}.py")
result = unittest.TextTestRunner(verbosity=2, stream=sys.stdout).run(suite)
failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses) + len(result.skipped)
print(f"python: {max(0, result.testsRun - failed)} passed, {failed} failed")
sys.exit(0 if failed == 0 and result.testsRun > 0 else 1)
