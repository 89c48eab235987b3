"""What is said while tables become people: refusals, exclusions, warnings."""

TEXTS = {
    # refusals
    "cohort.no_column": '{file} has no column "{column}"; {mend}',
    "cohort.column_twice": (
        '{file} has {n} columns called "{column}"; give one of them another name in the file'
    ),
    "cohort.no_rows": "{file} has no rows of data; give a file that holds people",
    "cohort.no_rows_kept": "no row of {file} is kept by this choice; choose values that occur",
    "cohort.rule_on_text": (
        '{file} holds text in column "{column}" ({examples}), and a rule needs numbers; list the '
        "values instead, or name the text as missing"
    ),
    "cohort.rule_on_dates": (
        '{file} holds dates in column "{column}", and a rule needs numbers; give a column of numbers'
    ),
    "cohort.not_numbers": (
        '{file} holds text in column "{column}" ({examples}), and numbers are needed; name the '
        "text as missing, or choose another column"
    ),
    "cohort.never_occurs": 'no row has the value {value} in column "{column}"; {mend}',
    "cohort.no_group_value": 'column "{column}" has no value {value}; {mend}',
    "cohort.score_for_decision": (
        'column "{column}" holds {n} different numbers, so it is a score and not a decision; give '
        'a threshold rule such as {{"at_least": {cut}}}'
    ),
    "cohort.both_lists": (
        "{value} belongs to {first} and to {second}; let each value belong to one of them"
    ),
    "cohort.one_side": (
        "{side} has nobody in any file: of {known} people with a known value all others are left; "
        "choose groups that both occur{results}"
    ),
    "cohort.one_group": (
        'nobody has {value} in column "{column}": {known}, all those with a value, have "{key}", and '
        "one group alone cannot be compared; give rows of both groups, or choose another "
        "column{results}"
    ),
    "cohort.one_group_results": ". What can still be said: {told}",
    "cohort.one_group_told": "{favourable} of {n} have a favourable {what} ({share})",
    "cohort.all_blank": 'column "{column}" is blank in every row; choose another column',
    "cohort.too_many_groups": (
        'column "{column}" has {n} different values; cut it by a rule such as {{"at_least": 30}}, '
        "or list the unprivileged values"
    ),
    "cohort.immense": (
        'column "{column}" of {file} holds {n} numbers too large to count with ({rows}); mend '
        "them, or name them as missing"
    ),
    "cohort.bad_weight": (
        '{n} of {total} rows of {file} have {what} weight in column "{column}" ({rows}); give every '
        "row a weight of 0, or between 1e-12 and 1e12"
    ),
    "cohort.no_weight": 'all weights in column "{column}" of {file} are 0; give weights above 0',
    "cohort.bad_membership": (
        "{n} of {total} rows of {file} have probabilities that are blank or do not sum to 1 "
        "({rows}); mend them, or set unusable_membership to leave out or renormalise"
    ),
    "cohort.few_to_split": (
        "{n} people have a known outcome, too few to train a stand-in and test it; give more rows, "
        "or supply the decisions"
    ),
    "cohort.one_class_to_learn": (
        "all {n} people with a known outcome have the {side} one, and a stand-in learns to tell "
        "two apart; give rows of both, or supply the decisions"
    ),
    "cohort.label_twice": (
        'both "{first}" and "{second}" would be printed as "{words}"; give each group its own words'
    ),
    # exclusions: what
    "cohort.what_blank": "{file}, {attribute}: not recorded",
    "cohort.what_left_out": "{file}, {attribute}: values that are not compared",
    "cohort.what_membership": "{file}, {attribute}: probabilities that cannot be used",
    "cohort.what_outcome_blank": "{file}, {attribute}: outcome not recorded",
    "cohort.what_outcome_other": "{file}, {attribute}: outcome in neither list",
    "cohort.what_decision_blank": "{file}, {attribute}: decision not recorded",
    "cohort.what_decision_other": "{file}, {attribute}: decision in neither list",
    "cohort.what_rows": "{file}, rows not kept: {column}",
    "cohort.what_unmatched": "{file}, rows without a match in {other}",
    "cohort.what_unread": "{file}, rows that cannot be read",
    # exclusions: why
    "cohort.why_unread": "{n} of {total} rows cannot be read and do not count.",
    "cohort.why_blank": "{n} of {total} people ({share}) have no {attribute} recorded",
    "cohort.why_blank_favourable": "; {good} of these {known} have the favourable outcome",
    "cohort.why_left_out": "{n} of {total} people ({share}) have a value that is not compared: {values}.",
    "cohort.why_membership": (
        "{n} of {total} people ({share}) have probabilities that are blank or do not sum to 1."
    ),
    "cohort.why_outcome_blank": "{n} of {total} people ({share}) have no recorded outcome{groups}",
    "cohort.why_outcome_other": (
        "{n} of {total} people ({share}) have an outcome that neither list names ({values}){groups}"
    ),
    "cohort.why_decision_blank": "{n} of {total} people ({share}) have no decision{groups}",
    "cohort.why_decision_other": (
        "{n} of {total} people ({share}) have a decision that neither list names ({values}){groups}"
    ),
    "cohort.why_rows": "{n} of {total} rows have another value in {column} than the plan keeps.",
    "cohort.why_unmatched": (
        "{n} of {total} rows have no match in {other} by {on}; they stay, with unknown values."
    ),
    # warnings
    "cohort.outer_blanks": (
        'Column "{column}" of {file} holds blanks around its text. {value} in the plan is taken to '
        "mean it. The data stay as they are."
    ),
    "cohort.label_of_nobody": 'Words are given for "{value}", which is no group here; {mend}',
    "cohort.left_out_never": (
        'Column "{column}" has no value {value} that could be left out. Check its spelling.'
    ),
    "cohort.no_favourable_here": (
        '{file} holds no favourable value in column "{column}"; its values are {values}. Check '
        "whether one of them is favourable too, then add it to the list."
    ),
    "cohort.several_unfavourable": (
        '{n} different values of column "{column}" count as unfavourable: {values}. If one of them '
        "means unknown, list the unfavourable ones in the plan."
    ),
    "cohort.one_outcome": (
        'Every known value of column "{column}" is {side}. Differences between groups cannot show '
        "in it."
    ),
    "cohort.reversed": (
        "The decisions agree with the recorded outcomes for {share} of {n} people, fewer than "
        "their reverse would. Check which decision is favourable."
    ),
    "cohort.membership_unknown": (
        "0 of {total} people have probabilities of {attribute} that can be used, so nothing about "
        "{attribute} can be computed. Ask the provider for them, or take {attribute} out of the plan."
    ),
    "cohort.membership_unusable": (
        "{n} of {total} people of {file} have probabilities of {attribute} that are blank or do "
        "not sum to 1, and {done}. The first are {rows}."
    ),
    "cohort.repeated_ids": (
        "Ids of {file} that stand in more than one row: {n}, the first is {id}. Each row counts "
        "as a person."
    ),
    "cohort.feature_missing": (
        "The stand-in leaves out what does not stand in every file, in number {n}: {columns}."
    ),
}
