"""What can be wrong with a plan, each with its mend."""

TEXTS = {
    "plan.no_file": "there is no such file; give the path of a plan",
    "plan.directory": "this is a folder; give the path of a plan, a JSON file inside it",
    "plan.unreadable": "the file cannot be opened; check who may read it",
    "plan.encoding": "the file is not UTF-8 text; save it as UTF-8",
    "plan.syntax": "this is not JSON ({what}); mend the text there",
    "plan.half_character": "{half} is half a character; write the whole character, or take it out",
    "plan.too_deep": "the JSON is nested too deeply for a plan; take the extra brackets away",
    "plan.twice": 'the key "{key}" stands twice; keep one',
    "plan.not_object": "an object in braces is needed here, not {found}",
    "plan.not_list": "a list in square brackets is needed here, not {found}",
    "plan.unknown_key": 'the key "{key}" is not known; {mend}',
    "plan.needed": '"{key}" is missing; {mend}',
    "plan.schema": 'the schema is {found}, and this program reads "{schema}"; write that one',
    "plan.not_text": "a text in quotation marks is needed, not {found}",
    "plan.empty_text": "the text is empty; write a name, or null for none",
    "plan.unprintable": "the name holds {what}, which no page can show; take it out",
    "plan.not_number": "a number is needed, not {found}",
    "plan.not_whole": "a whole number is needed, not {found}",
    "plan.not_yes_no": "true or false is needed, not {found}",
    "plan.range": "{found} is out of range; give a number {range}",
    "plan.choice": "{found} is not a choice here; {mend}",
    "plan.empty_list": "the list is empty; name at least one",
    "plan.blank_value": "a blank is never a value that can be chosen; take it out of the list",
    "plan.not_value": "a text, a number, true or false is needed, not {found}",
    "plan.lone_value": "{found} stands alone; write it as a list: [{found}]",
    "plan.rule_keys": (
        'a rule has one of the keys "at_least", "below" and "between", and this one has {found}; '
        'for a range write {{"between": [x, y]}}'
    ),
    "plan.between": "between needs two numbers, the lower one first: [x, y] with x below y",
    "plan.rules_mixed": "a rule stands alone here; write one rule, or a list of values",
    "plan.no_data": 'there is no data; give "all", or "test" with or without "training"',
    "plan.all_and_test": (
        '"all" and "{other}" are both given; keep "all", or "test" with or without "training"'
    ),
    "plan.no_test": '"training" is given alone; add "test", or call this source "all"',
    "plan.split_keys": '"{key}" belongs to "all" alone; take it away here',
    "plan.header_columns": '"header": false needs "columns", the names of all columns in order',
    "plan.columns_header": '"columns" names the columns of a file without header; add "header": false',
    "plan.columns_twice": 'the name "{name}" stands twice; give each column its own',
    "plan.delimiter": "a delimiter is one character, and {found} is not",
    "plan.decimal": 'the decimal mark is "." or ",", and {found} is neither',
    "plan.train_needs_training": (
        'a stand-in is trained here, and "test" comes alone; add "training", or give "all"'
    ),
    "plan.one_system": (
        "{found} are all given; keep one: decisions as columns, a stand-in (train), or a model file"
    ),
    "plan.train_outcome": 'a stand-in learns the recorded outcome; give "outcome"',
    "plan.no_protected": "no protected attribute is named; give at least one",
    "plan.attribute_twice": 'two attributes are called "{name}"; give one of them another "name"',
    "plan.attribute_column": '"column" is missing; name the column, or give "membership"',
    "plan.attribute_both": '"column" and "membership" are both given; keep one',
    "plan.membership_name": 'an attribute with "membership" has no column to be called by; give its "name"',
    "plan.membership_few": "membership names {n} group; two at least are needed",
    "plan.membership_twice": 'the column "{column}" stands for two groups; give each its own',
    "plan.not_member": '"{value}" is not a group of membership; {mend}',
    "plan.both_lists": "{value} stands in {first} and in {second}; keep it in one",
    "plan.column_twice": (
        '"{column}" is used as {first} and as {second}; one column serves one of them'
    ),
    "plan.override_unknown": 'no protected attribute is called "{name}"; {mend}',
    "plan.band": "a band is one number from 0, or two numbers [low, high] around {ideal}",
    "plan.no_methods": 'no method is named; write for example {{"certification": {{}}}}',
    "plan.unknown_method": 'no method is called "{name}"; {mend}',
    "plan.needs_outcome": (
        '{title} needs the recorded outcome; give "outcome", or take the method away'
    ),
    "plan.path_empty": "no file is named; give a path",
    "plan.missing_markers": "give a list of markers, or an object of column and list",
    "plan.setting": "{text}",
}
