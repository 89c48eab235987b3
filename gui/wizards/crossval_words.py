"""Texts of the wizard of the cross-validated tests."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "sentence": "People are laid into folds; each is decided by a model that has not seen them.",
    # question
    "means": "What this means",
    "these decisions": "The answer is about the decisions on these people. Other people may meet other decisions.",
    "the algorithm": "The answer is also about people who are not in the file. A difference must then show in a second test too, which allows for training sets that overlap.",
    "shared model": "All people are learnt from together, as a system in use does. Each group's rates come from the same models.",
    "model per group": "Each group is learnt from apart, as in the paper's worked example. A group that is smaller or harder to learn then also shows as a difference.",
    # data
    "people": "People by group",
    "people_table": "People by group: {name}",
    "col_group": "Group",
    "col_people": "People",
    "col_favourable": "Favourable outcome",
    "col_unfavourable": "Unfavourable outcome",
    "unknown": "{n} have no known group; the algorithms learn from them, and they are not counted.",
    "data_line": "{people} have a known outcome. Each is decided once.",
    "one_attribute": "The plan has one protected attribute, so there is nothing to add or to cross.",
    "cross_two": "Tick at least two attributes to cross them.",
    "supplied": "The decisions in “{name}” are taken as out of fold. Nothing is trained.",
    "own_folds": "Your own folds are used: {k} of them.",
    # algorithms
    "time": "Expected time",
    "col_algorithm": "Algorithm",
    "col_fits": "Fits",
    "col_learns": "People",
    "col_time": "Time of one processor",
    "time_line": "{fits} fits, about {time} in all on this machine. Each is made once, however many attributes are tested.",
    "time_note": "A guess from the number of people and columns. The report does not rest on it.",
    "svm_slow": "The support vector machine takes about {time} with all {people}: its time grows with the square of the people. A stratified sample of {sample} takes about {less}; the report says so.",
    "svm_take": "Take a sample of {sample}",
    "svm_sampled": "The support vector machine learns from a stratified sample of {n}. The report says so.",
    "set_sample": "set the sample for the support vector machine",
    # folds
    "folds": "How many folds these people can bear",
    "advised": "{k} folds are advised: the most that leave at least {fewest} people of each outcome and group in every fold.",
    "advised_used": "You use {k} folds, which is the advised number.",
    "fewer_used": "You use {used} folds. Up to {k} leave at least {fewest} people of each outcome and group in every fold.",
    "more_used": "You use {used} folds. Only {k} leave at least {fewest} people of each outcome and group in every fold.",
    "use": "Use {k} folds",
    "none_advised": "No number of folds leaves {fewest} people of each outcome and group in every fold. The pooled test needs no folds of a given size.",
    "bare": "With {k} folds some fold holds 0 people of an outcome: {groups}. It has no value there; none is made up.",
    "bare_group": "{group}, {outcome}, {n}",
    "set_k": "set the number of folds",
    # running
    "grid": "Fits",
    "grid_name": "Fits of {algorithm}: {done} of {total} done",
    "cell": "{algorithm}, fold {fold}: {state}",
    "waiting": "waiting",
    "done": "done",
    "unsettled": "done, stopped before it settled",
    "failed": "gave no decisions",
    "fold_head": "Fold",
    "count": "{done} of {total}",
    "not_started": "Nothing has been fitted yet. {time}",
    "no_fits": "Nothing is trained: the decisions in “{name}” are taken as out of fold.",
    "reading_now": "The audit runs. The fits begin when the files are read.",
    "running": "{done} of {total} fits are done.",
    "stopped": "{done} of {total} fits were done when the run stopped. They are kept, and the run goes on from there.",
    "stopped_other": "{done} of {total} fits were done when the run stopped. A choice has changed since; what still holds is used again.",
    "complete": "All {total} fits are done.",
    "complete_all": "All fits are done.",
    "complete_failed_some": "Fits of {failed} squares gave no decisions. The result says why.",
    "complete_failed": "{done} of {total} fits gave decisions, {failed} gave none. The result says why.",
    "stopping": "Stopping. What is done is kept.",
    "cancel": "Cancel",
    "go_on": "Go on",
    "to_result": "See the result",
    "export_grid": "Export CSV…",
    "forget": "Begin anew",
    "forget_sure": "Begin anew, without the kept fits",
    "kept_note": "Cancel ends the fit that is being made and keeps those that are done, in your own folder on this machine. They are taken again only for the same people, folds, algorithm and seed.",
    # result
    "quote": "The sentence that may be quoted",
    "copy": "Copy sentence",
    "copied": "Copied",
    # the data cannot be read
    "reading": "Counting the people",
    "no_data": "Folds and time can be worked out once the case holds data, an outcome and groups.",
    "no_people": "Folds and time cannot be worked out yet: {why}",
    # time in words
    "moment": "a few seconds",
    "seconds": "{n} seconds",
    "minutes": "{n} minutes",
    "hours": "{n} hours",
}  # fmt: skip


def text(code: str, **fields: object) -> str:
    """The text of a code with its fields filled in."""
    return TEXTS[code].format(**fields)


def duration(seconds: float) -> str:
    """A length of time in words, for people who plan their day.

    Examples
    --------
    >>> duration(3), duration(21), duration(95), duration(7500), duration(80000)
    ('a few seconds', '20 seconds', '2 minutes', '2.1 hours', '22 hours')
    """
    if seconds < 7.5:
        return text("moment")
    if seconds < 57.5:
        return text("seconds", n=5 * round(seconds / 5))
    if seconds < 5400:
        n = max(1, round(seconds / 60))
        return text("minutes", n=n) if n != 1 else "1 minute"
    hours = seconds / 3600
    return text("hours", n=f"{hours:.1f}".removesuffix(".0") if hours < 10 else round(hours))
