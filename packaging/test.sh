#!/usr/bin/env bash
# Sets up the machine and runs all tests, linters and type checks. Arguments go to pytest.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# shellcheck disable=SC2086
debian_packages $window_packages $test_packages || die "the tests need the packages named above"
python_packages packaging/requirements-test.lock

export QT_QPA_PLATFORM="${QT_QPA_PLATFORM:-offscreen}"
exec .venv/bin/python -m pytest -n "${FAIRASSAY_TEST_PROCESSES:-2}" --dist loadfile "$@"
