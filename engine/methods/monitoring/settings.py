"""What monitoring asks. Light to import."""

from engine.methods.base import Method, Setting

METHOD = Method(
    name="monitoring",
    title="Monitoring over time",
    question="Have the people or the decisions shifted since the audit, and is it time to act?",
    step=9,
    needs_outcome=False,
    pages=("Periods", "Compared with", "Triggers", "Result"),
    settings=(
        Setting(
            "attribute", "attribute", None, "Protected attribute",
            "Watched alone where attributes are not crossed. Left empty, the first one of the plan.",
            page="Periods",
        ),
        Setting(
            "cross", "yes-no", True, "Cross all protected attributes",
            "Otherwise the groups of one attribute are watched.", page="Periods",
        ),
        Setting(
            "date", "column", None, "Column of dates",
            "Left empty, each file is one period.", page="Periods",
        ),
        Setting(
            "period", "choice", "month", "Length of a period", "",
            choices=(
                ("day", "A day"),
                ("week", "A week"),
                ("month", "A month"),
                ("quarter", "A quarter"),
                ("year", "A year"),
                ("file", "A file each"),
                ("value", "Each value of the column is a period"),
            ),
            page="Periods",
        ),
        Setting(
            "periods", "value", None, "Periods of your own",
            'A list of {"name", "from", "to"} with dates as 2026-03-31, both days included.',
            page="Periods",
        ),
        Setting(
            "date_order", "choice", "as the dates show", "Order of day and month",
            "Asked only where dates such as 03/04/2026 leave it open.",
            choices=(
                ("as the dates show", "As the dates show"),
                ("day first", "Day first"),
                ("month first", "Month first"),
            ),
            page="Periods",
        ),
        Setting(
            "periods_a_year", "number", None, "Periods a year",
            "For the expected false alarms. Left empty, it follows from the length; for files, 12.",
            minimum=1, maximum=366, page="Periods",
        ),
        Setting(
            "reference", "text", "privileged", "Compared with",
            "privileged: the crossing of the privileged groups. highest: the highest rate of the first period. overall: everybody. Or the name of a crossing.",
            page="Compared with",
        ),
        Setting(
            "baseline_periods", "whole", 1, "Periods that set the level",
            "The first ones, taken together, where no certified levels are given.",
            minimum=1, maximum=120, page="Compared with",
        ),
        Setting(
            "certified", "value", None, "Levels of the last certificate",
            'For each crossing {"rate", "ratio", "low", "high", "n"}; low and high belong to the ratio.',
            page="Compared with",
        ),
        Setting(
            "certificate", "text", "", "Number of the last certificate", "", page="Compared with",
        ),
        Setting(
            "psi_smoothing", "choice", "half a person", "Groups with nobody on one side",
            "The population stability index has no value there unless something is added.",
            choices=(
                ("half a person", "Add half a person to every group, on both sides"),
                ("none", "Add nothing; the index then has no value"),
            ),
            page="Compared with",
        ),
        Setting(
            "minimum_effective_n", "number", 50, "Smallest crossing that counts",
            "A smaller one breaks a run, and that is said.", unit="people", minimum=1, page="Triggers",
        ),
        Setting(
            "hard_floor", "share", 0.6, "Roll back below this ratio", "Once is enough.",
            page="Triggers",
        ),
        Setting(
            "floor", "share", 0.8, "Investigate below this ratio",
            "Roll back where it lasts for several periods running.", page="Triggers",
        ),
        Setting(
            "consecutive", "whole", 2, "Periods running that roll back", "", minimum=1, maximum=60,
            page="Triggers",
        ),
        Setting(
            "psi_limit", "number", 0.25, "Investigate above this population stability index", "",
            minimum=0, page="Triggers",
        ),
        Setting(
            "control_limits", "yes-no", True, "Investigate outside the control limits",
            "Where a rate leaves its limits around the level.", page="Triggers",
        ),
        Setting(
            "control_level", "share", 0.997, "Level of the control limits",
            "How often chance alone keeps a rate within them.",
            minimum=0.5, maximum=0.9999, page="Triggers",
        ),
        Setting(
            "agreed", "text", "", "Who agreed the triggers, and when", "Printed with them.",
            page="Triggers",
        ),
        Setting(
            "simulated_years", "whole", 1000, "Simulated years without drift",
            "For the expected false alarms.", minimum=100, maximum=20_000, page="Triggers",
        ),
    ),
)  # fmt: skip
