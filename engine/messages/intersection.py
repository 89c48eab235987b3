"""Texts about crossed groups."""

TEXTS = {
    "intersection.nothing": "crossed groups need decisions or recorded outcomes; name one of them in the plan",
    "intersection.no_attribute": '"{name}" is not a protected attribute of the plan; {mend}',
    "intersection.no_cell": '"{name}" is not a crossing of these groups; {mend}',
    "intersection.left_out_form": "left_out maps the name of a crossing to the reason for leaving it out",
    "intersection.no_reason": '"{cell}" is left out without a reason; write one in words',
    "intersection.not_small": '"{cell}" holds {share} of the people; only crossings below 2 % may be left out',
    "intersection.no_reference": "Cannot be computed: 0 crossings reach {minimum} people, so there is no reference to compare with.",
    "intersection.zero_reference": "Cannot be computed: the reference {reference} has 0 favourable among {n} people, and a ratio to 0 has no value.",
    "intersection.zero_overall": "Cannot be computed: 0 of all {n} people have a favourable result.",
    "intersection.empty": "{cell}: 0 people, not tested.",
    "intersection.small": "{n} people count here, fewer than the {minimum} asked for.",
    "intersection.left_out": "Left out: {reason}",
    "intersection.many_pairs": "{n} pairs of crossings are too many to test each (at most {most}); each is tested against the reference.",
    "intersection.highest_is_chosen": "The reference {reference} was chosen because its rate is the highest. "
    "The highest of several uncertain rates is too high on average, which makes the other ratios a little too low. "
    "The ratio to everybody beside it does not have this fault.",
    "intersection.small_reference": "The reference {reference} is small: {why} Ratios to it are uncertain; choose a larger one, or everybody.",
    "intersection.soft_shrinks": "Some people count in several groups, each with their probability. "
    "Where decisions follow the group itself, this draws the groups' rates towards each other: true gaps are then larger than shown.",
    "intersection.soft_independent": "Several attributes are known as probabilities only. They are taken as independent for each person.",
    # findings
    "intersection.flagged": "{cell}: {rate} had a favourable result, {ratio} times the rate of {reference} ({interval}). The whole interval lies below {below}.",
    "intersection.flagged_do": "Ask the provider why this crossing fares worse, and look at each step that leads there.",
    "intersection.ok": "{n} of the {of} other crossings are shown to reach {below} of the rate of {reference}.",
    "intersection.undecided": "{cell}: {rate} had a favourable result, {ratio} times the rate of {reference} ({interval}). The interval crosses {below}: the data settle neither side.",
    "intersection.undecided_do": "Ask for more people of this crossing before you conclude anything.",
    "intersection.insufficient": "{n} of {of} crossings cannot be judged: {cells}.",
    "intersection.insufficient_do": "Say in the report that nothing is known about these people.",
    "intersection.hidden": "Each attribute alone looks level: {margins}. Crossed, {cell} has {ratio} times the rate of {reference}.",
    "intersection.differs": "{cell} and {other} are not shown to differ ({difference} points, p {p} after correction), though only one of them is flagged. Do not call one of them doubly disadvantaged.",
    "intersection.published": "The paper's rule reads values alone and rounds them first. It says otherwise here: {cells}.",
}
