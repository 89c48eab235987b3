#!/usr/bin/env bash
# Opens FairAssay on the built-in sample audit; without a display runs the audit and says where
# certificate and result are. Arguments go to FairAssay itself: packaging/run.sh audit plan.json --out DIR
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# shellcheck disable=SC2086
debian_packages $window_packages || die "the window needs the packages named above"
python_packages packaging/requirements.lock

if [ $# -gt 0 ]; then exec .venv/bin/python main.py "$@"; fi

sample="${XDG_DATA_HOME:-$HOME/.local/share}/fairassay/sample-german-credit"
if [ ! -f "$sample/audit/case.fairassay" ]; then
  rm -rf "$sample"; mkdir -p "$(dirname "$sample")"
  .venv/bin/python main.py sample german --out "$sample"
  .venv/bin/python main.py audit "$sample/plan.json" --out "$sample/audit"
fi
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec .venv/bin/python main.py "$sample/audit/case.fairassay"
fi
echo "There is no display, so the sample audit ran without a window."
echo "Certificate: $sample/audit/certificate.pdf"
echo "Result:      $sample/audit/result.json"
