"""Sentences of the certification."""

TEXTS = {
    # why something is not checked or has no value
    "certification.no_training": (
        "Not checked: the recorded outcomes of the training data were not supplied."
    ),
    "certification.no_outcome": "Not checked: no recorded outcome was named.",
    "certification.no_decisions": "Not checked: no decisions of a system were supplied.",
    "certification.index_incomplete": "Cannot be computed over all {n} metrics: {reason}",
    "certification.score_incomplete": "Cannot be computed: there is no Bias Index of {attribute}, because {reason}",
    "certification.score_unchecked": "Not checked: no metric of {attribute} was checked.",
    "certification.missing_outcomes_open": (
        "Left open: unknown outcomes are more common on one side. Filled in either way, they move the value through {range}."
    ),
    "certification.independent_draws": (
        "The attributes have too many crossed cells; their resamples are drawn independently."
    ),
    # warnings
    "certification.privileged_lower": (
        "The group chosen as privileged, {privileged}, has the lower favourable rate in {where}: {high} against {low}. "
        "Check which group is which. With the groups exchanged the Bias Index is {other} in place of {index}."
    ),
    "certification.missing_differs": (
        "{unknown_u} of {of_u} people with {unprivileged} have no known outcome, and {unknown_p} of {of_p} people with {privileged}. "
        "Missing outcomes differ by group, so parity is not conclusive: it runs from {low} to {high} as they are filled in."
    ),
    "certification.blank_groups": (
        "{n} of {of} people ({share}) have no {attribute} recorded; {favourable} of these {n} have a favourable outcome. "
        "They are in no group. Placed on either side they move statistical parity difference through {range}."
    ),
    "certification.blank_groups_decided": (
        "{n} of {of} people ({share}) have no {attribute} recorded. They are in no group."
    ),
    "certification.pairs_shown": (
        "Of {total} pairs, the {shown} that lie farthest from the ideal. All of them stand in "
        "result.json, which the paper carries, and in tables/pairs.csv."
    ),
    # reasons of the recommendation
    "certification.all_within": "All {n} metrics lie within the tolerance with their whole interval.",
    "certification.all_outside": "All {n} metrics lie outside the tolerance with their whole interval.",
    "certification.all_not_settled": "None of the {n} metrics is shown to lie within or outside the tolerance.",
    "certification.all_crossing": (
        "All {n} metrics cross an edge of the tolerance band. None is shown to lie within or outside."
    ),
    "certification.all_not_computable": "None of the {n} metrics can be computed.",
    "certification.both_within": "Both metrics lie within the tolerance with their whole interval.",
    "certification.both_outside": "Both metrics lie outside the tolerance with their whole interval.",
    "certification.both_not_settled": "Neither of the two metrics is shown to lie within or outside the tolerance.",
    "certification.both_crossing": (
        "Both metrics cross an edge of the tolerance band. Neither is shown to lie within or outside."
    ),
    "certification.both_not_computable": "Neither of the two metrics can be computed.",
    "certification.one_within": "The one metric lies within the tolerance with its whole interval.",
    "certification.one_outside": "The one metric lies outside the tolerance with its whole interval.",
    "certification.one_not_settled": "The one metric is not shown to lie within or outside the tolerance.",
    "certification.one_crossing": (
        "The one metric crosses an edge of the tolerance band. It is not shown to lie within or outside."
    ),
    "certification.one_not_computable": "The one metric cannot be computed.",
    "certification.none_checked": "No metric was checked.",
    "certification.tally": "Of {of} metrics, {parts}.",
    "certification.tally_within": "{n} {be} within the tolerance with the whole interval",
    "certification.tally_outside": "{n} {be} outside the tolerance with the whole interval",
    "certification.tally_not_settled": "{n} {be} not settled",
    "certification.tally_not_computable": "{n} {be} not computable",
    "certification.worst": "Furthest from its ideal is {metric} by {attribute}: {value}, {verdict}.",
    "certification.groups_outside": (
        "Taken group by group, {n} metrics lie outside, which the pooled figures may hide."
    ),
    "certification.group_outside": (
        "Taken group by group, 1 metric lies outside, which the pooled figures may hide."
    ),
    "certification.no_interval": "none",
    "certification.score_within": (
        "The Fairness Score is {value}; its whole {confidence} interval, {interval}, lies at {bound} or above."
    ),
    "certification.score_outside": (
        "The Fairness Score is {value}; its whole {confidence} interval, {interval}, lies below {bound}."
    ),
    "certification.score_open": (
        "The Fairness Score is {value}; its {confidence} interval, {interval}, does not lie on one side of the {bound} that a certificate needs."
    ),
    "certification.score_missing": "There is no Fairness Score. {reason}",
    "certification.small_test": (
        "The decisions are tested on {people}. Read from values alone, a result of so small a test may be chance."
    ),
    "certification.published_pass": "Read as published, from values alone, the score of {value} would pass, while {outside}.",
    "certification.published_fail": "Read as published, from values alone, the score of {value} would not pass; {outside}.",
    "certification.published_index": (
        "Read as published, from values alone, the score of {value} would pass, but not the Bias Index by {attribute}, {index} where {bound} is the most; {outside}."
    ),
    "certification.published_open": (
        "Read as published, the score of {value} would pass, but recorded outcomes alone carry no certificate; {outside}."
    ),
    "certification.published_missing": "Read as published there is no result, as there is no Fairness Score.",
    "certification.metrics_outside": "{n} single metrics lie outside",
    "certification.no_metric_outside": "no single metric lies outside",
    "certification.metric_outside": "1 single metric lies outside",
    "certification.points_unsettled": "The data do not settle {n} of {of} metrics.",
    "certification.no_system": "No system was audited: the recorded outcomes themselves were. They carry no certificate.",
    # findings: metrics in words
    "certification.finding_parity": (
        "{low_part} of {low_of} people with {unprivileged} have a favourable recorded outcome ({low_rate}), and {high_part} of {high_of} with {privileged} ({high_rate}). "
        "Their difference is {value}{interval}."
    ),
    "certification.finding_ratio": (
        "{value} is the rate of people with {unprivileged} divided by that of people with {privileged}{interval}. "
        "Per 100 favourable outcomes of the privileged group the other has {per_hundred} at equal numbers."
    ),
    "certification.finding_opportunity": (
        "Of people with a favourable recorded outcome, the system decides for {high_part} of {high_of} with {privileged} ({high_rate}) and {low_part} of {low_of} with {unprivileged} ({low_rate}). "
        "The difference, privileged less unprivileged, is {value}{interval}."
    ),
    "certification.finding_mistaken": (
        "Of people with an unfavourable recorded outcome, the system decides for {high_part} of {high_of} with {privileged} ({high_rate}) and {low_part} of {low_of} with {unprivileged} ({low_rate}). "
        "The difference, privileged less unprivileged, is {value}{interval}."
    ),
    "certification.finding_odds": (
        "{value} is the mean of the two gaps in the decisions, unprivileged less privileged{interval}. "
        "It can be 0 while the two gaps are not: their mean size without sign is {absolute}."
    ),
    "certification.means_within": "The whole interval lies within {band}: a gap beyond the tolerance is ruled out.",
    "certification.means_outside": "The whole interval lies outside {band}: a gap beyond the tolerance is shown.",
    "certification.means_open": (
        "The interval crosses an edge of {band}: the data neither show a gap beyond the tolerance nor rule it out."
    ),
    "certification.means_no_interval": "There is no interval, so the data neither show a gap beyond the tolerance nor rule it out.",
    "certification.do_within": "Nothing to do.",
    "certification.do_outside": "Ask the provider for the cause, and do not grant.",
    "certification.do_open": "Ask for more rows: about {rows} would settle it, if the value stays as it is.",
    "certification.do_open_far": (
        "The value lies near an edge: only about {rows} rows would settle it. The decision can be not settled."
    ),
    "certification.do_open_plain": "Ask for more rows or for what is missing, or go on: the decision can be not settled.",
    "certification.do_missing": "Ask for data in which this group is present.",
    "certification.do_not_checked": "Supply what is missing; else it stays named as not checked.",
    "certification.aod_cancels": (
        "The average odds difference by {attribute} is {value}, yet the two gaps behind it are {eod} and {emod}: they have opposite signs and cancel. Read the two gaps."
    ),
    "certification.worst_first": (
        "{metric} by {attribute} is furthest from its ideal: {value}, {times} the tolerance on that side. It is {verdict}."
    ),
    "certification.worst_zero_tolerance": (
        "{metric} by {attribute} is furthest from its ideal: {value}, where no distance is tolerated. It is {verdict}."
    ),
    "certification.worst_group": (
        "Taken group by group, {metric} of people with {group} is furthest from its ideal: {value}."
    ),
    "certification.worst_attribute": "The Bias Index is largest by {attribute}: {value}{interval}. It may be at most {bound}.",
    "certification.finding_index": "The Bias Index by {attribute} is {value}{interval}, over {n} metrics. It may be at most {bound}.",
    "certification.finding_score": "The Fairness Score is {value}{interval}. It needs {bound} or more.",
    "certification.score_masks": (
        "A score of {bound} lets a single metric be as far as {most} from its ideal. Read the worst metric beside it."
    ),
    "certification.needed": (
        "With about {rows} rows the {metrics} by {attribute} would settle, if the values stay as they are."
    ),
    "certification.tests_said": (
        "By {attribute}, recorded outcomes: {four_fifths} Two-proportion z is {z}, p {z_p}; Fisher's exact p {fisher_p}."
    ),
    "certification.four_fifths_pass": "the ratio of the rates reaches four fifths.",
    "certification.four_fifths_fail": (
        "the ratio of the rates stays below four fifths; {shortfall} more favourable people would make the rates equal."
    ),
    "certification.four_fifths_flip": (
        "the ratio of the rates stays below four fifths, and one person on either side would turn that; {shortfall} more favourable people would make the rates equal."
    ),
    "certification.four_fifths_none": "there is no ratio of the rates.",
    "certification.data_only": (
        "Statistical parity difference and disparate impact describe recorded data, the other three the decisions. Their mean is no property of the system alone."
    ),
}
