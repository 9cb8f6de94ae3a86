/**
 * What the syntax tree of a language says, as queries of tree-sitter. Their captures are the names of `CAPTURES` in
 * learn-file.ts: `function` to `declaration` are names that are defined, `declaration` those whose body is elsewhere.
 */
export interface Grammar {
	/** Of the file below data/grammars. */
	readonly name: string;
	readonly extensions: readonly string[];
	/** In the first line of a file without an extension. */
	readonly interpreter?: RegExp;
	readonly query: string;
	/** Hides what the grammar cannot know, without moving anything. */
	readonly hide?: (text: string) => string;
}

/** Macros before a type or a name: `API int f(void) {`, `class API A {`, `API(int) f(void)`. */
const MACROS: readonly RegExp[] = [
	/^[ \t]*[A-Z][A-Z0-9_]{3,}(?=[ \t]+(?:[A-Za-z_][\w:]*(?:<[^;{}()\n]*>)?[ \t*&]+){1,4}[\w:~<>]+[ \t]*\()/gm,
	/(?<=^[ \t]*(?:class|struct|union|enum)[ \t]+)[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?(?=[ \t]+\w+[^;\n]*$)/gm,
	/^[A-Z][A-Z0-9_]{3,}\([\w \t*]+\)(?=[ \t]*\n?[ \t]*\*?\w+[ \t]*\()/gm,
];

function hideMacros(text: string): string {
	const hide = (macro: string): string => " ".repeat(macro.length);
	return MACROS.reduce(
		(hidden, pattern) => hidden.replace(pattern, (macro) => macro.replace(/^\s*\w+\(?|\)$/g, hide)),
		text,
	);
}

const SCRIPT = `
(function_declaration name: (identifier) @function)
(generator_function_declaration name: (identifier) @function)
(class_declaration name: (_) @type)
(method_definition name: (_) @method)
(function_expression name: (identifier) @function)
(variable_declarator name: (identifier) @function value: [(arrow_function) (function_expression) (generator_function) (class)])
(program (lexical_declaration (variable_declarator name: (identifier) @value)))
(program (variable_declaration (variable_declarator name: (identifier) @value)))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @value))))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @value))))
(assignment_expression left: (member_expression property: (property_identifier) @function) right: [(arrow_function) (function_expression) (generator_function) (class)])
(assignment_expression left: (identifier) @function right: [(arrow_function) (function_expression) (generator_function) (class)])
((program (expression_statement (assignment_expression left: (member_expression property: (property_identifier) @value) right: [(string) (number) (object) (array) (true) (false) (null) (template_string) (new_expression)]))) (#not-eq? @value "exports"))
(pair key: (property_identifier) @method value: [(arrow_function) (function_expression) (generator_function)])
(call_expression function: [(identifier) @call (member_expression property: (_) @call)])
(call_expression function: (await_expression (identifier) @call))
(new_expression constructor: [(identifier) @call (member_expression property: (property_identifier) @call)])
(decorator [(identifier) @call (member_expression property: (property_identifier) @call)])
(import_statement) @importing
(import_statement source: (string (string_fragment) @module))
(export_statement source: (string (string_fragment) @module)) @importing
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @module)))
((call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @module))) (#eq? @_require "require"))
((variable_declarator name: (_) @importing value: [
  (call_expression function: (identifier) @_require)
  (member_expression object: (call_expression function: (identifier) @_require))
  (await_expression (call_expression function: (import) @_require))
]) (#match? @_require "^(require|import)$"))
(comment) @comment
(string_fragment) @text
(regex_pattern) @text
`;

const TYPES = `
(abstract_class_declaration name: (_) @type)
(interface_declaration name: (_) @shape)
(type_alias_declaration name: (_) @shape)
(enum_declaration name: (_) @type)
(internal_module name: (identifier) @type)
(function_signature name: (_) @declaration)
(method_signature name: (_) @declaration)
(abstract_method_signature name: (_) @declaration)
(public_field_definition name: (_) @value)
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @declaration)))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @declaration)))
(call_expression function: (instantiation_expression (identifier) @call))
`;

const ELEMENTS = `
(jsx_opening_element name: [(identifier) @call (member_expression property: (property_identifier) @call)])
(jsx_self_closing_element name: [(identifier) @call (member_expression property: (property_identifier) @call)])
(jsx_text) @text
`;

export const GRAMMARS: readonly Grammar[] = [
	{
		name: "javascript",
		extensions: ["js", "cjs", "mjs", "jsx"],
		interpreter: /\b(?:node|bun)\b/,
		query: `${SCRIPT}${ELEMENTS}(field_definition property: (_) @value)`,
	},
	{ name: "typescript", extensions: ["ts", "cts", "mts"], interpreter: /\bdeno\b/, query: SCRIPT + TYPES },
	{ name: "tsx", extensions: ["tsx"], query: SCRIPT + TYPES + ELEMENTS },
	{
		name: "python",
		extensions: ["py", "pyi", "pyw"],
		interpreter: /\bpython[\d.]*\b/,
		query: `
(function_definition name: (identifier) @function)
(class_definition name: (identifier) @type)
(module (expression_statement (assignment left: (identifier) @value)))
(class_definition body: (block (expression_statement (assignment left: (identifier) @value))))
(call function: [(identifier) @call (attribute attribute: (identifier) @call)])
(decorator [(identifier) @call (attribute attribute: (identifier) @call)])
(import_statement) @importing
(import_from_statement) @importing
(future_import_statement) @importing
(import_statement name: [(dotted_name) @module (aliased_import name: (dotted_name) @module)])
(import_from_statement module_name: (_) @module)
(comment) @comment
(string_content) @text`,
	},
	{
		name: "go",
		extensions: ["go"],
		query: `
(function_declaration name: (identifier) @function)
(method_declaration name: (field_identifier) @method)
(type_spec name: (type_identifier) @type)
(type_alias name: (type_identifier) @shape)
(source_file (const_declaration (const_spec name: (identifier) @value)))
(source_file (var_declaration (var_spec name: (identifier) @value)))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @value))))
(method_elem name: (field_identifier) @declaration)
(call_expression function: [(identifier) @call (selector_expression field: (field_identifier) @call)])
(call_expression function: (index_expression operand: [(identifier) @call (selector_expression field: (field_identifier) @call)]))
(call_expression function: (parenthesized_expression (identifier) @call))
(import_declaration) @importing
(import_spec path: (interpreted_string_literal) @module)
(comment) @comment
(interpreted_string_literal) @text
(raw_string_literal) @text`,
	},
	{
		name: "rust",
		extensions: ["rs"],
		query: `
(function_item name: (identifier) @function)
(function_signature_item name: (identifier) @declaration)
(struct_item name: (_) @type)
(enum_item name: (_) @type)
(union_item name: (_) @type)
(trait_item name: (_) @type)
(type_item name: (_) @shape)
(const_item name: (identifier) @value)
(static_item name: (identifier) @value)
(enum_variant name: (identifier) @value)
(macro_definition name: (identifier) @macro)
(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call) (scoped_identifier name: (identifier) @call)])
(call_expression function: (generic_function function: [(identifier) @call (field_expression field: (field_identifier) @call) (scoped_identifier name: (identifier) @call)]))
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (identifier) @call)])
(token_tree (identifier) @applied . (token_tree))
(use_declaration) @importing
(extern_crate_declaration) @importing
(use_declaration argument: (_) @module)
(mod_item !body name: (identifier) @module)
(line_comment) @comment
(block_comment) @comment
(string_content) @text`,
	},
	{
		name: "cpp",
		extensions: ["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "ino", "cu"],
		hide: hideMacros,
		query: `
(function_definition type: (_) declarator: (function_declarator declarator: (identifier) @function))
(function_definition declarator: (function_declarator declarator: (field_identifier) @method))
(function_definition declarator: (function_declarator declarator: (qualified_identifier) @method))
(function_definition declarator: (_ declarator: (function_declarator declarator: [(identifier) @function (field_identifier) @method (qualified_identifier) @method])))
(function_definition declarator: (_ declarator: (_ declarator: (function_declarator declarator: [(identifier) @function (field_identifier) @method (qualified_identifier) @method]))))
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) @function (field_identifier) @method (qualified_identifier) @method])))
(declaration declarator: (function_declarator declarator: [(identifier) @declaration (qualified_identifier) @declaration]))
(declaration declarator: (_ declarator: (function_declarator declarator: [(identifier) @declaration (qualified_identifier) @declaration])))
(declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) @declaration (qualified_identifier) @declaration])))
(field_declaration declarator: (function_declarator declarator: (field_identifier) @declaration))
(field_declaration declarator: (_ declarator: (function_declarator declarator: (field_identifier) @declaration)))
(field_declaration declarator: (reference_declarator (function_declarator declarator: (field_identifier) @declaration)))
(class_specifier name: [(type_identifier) (template_type)] @type body: (_))
(struct_specifier name: [(type_identifier) (template_type)] @type body: (_))
(union_specifier name: (type_identifier) @type body: (_))
(enum_specifier name: (type_identifier) @type body: (_))
(enumerator name: (identifier) @value)
(type_definition declarator: (type_identifier) @shape)
(alias_declaration name: (type_identifier) @shape)
(preproc_def name: (identifier) @macro value: (_))
(preproc_function_def name: (identifier) @macro)
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @value)))
(translation_unit (declaration declarator: (init_declarator declarator: (_ declarator: (identifier) @value))))
(translation_unit (declaration declarator: (init_declarator declarator: (_ declarator: (_ declarator: (identifier) @value)))))
(translation_unit (declaration declarator: (init_declarator declarator: (qualified_identifier) @value)))
(translation_unit (declaration declarator: (identifier) @value))
(translation_unit (declaration declarator: (array_declarator declarator: (identifier) @value)))
(call_expression function: [
  (identifier) @call
  (field_expression field: (field_identifier) @call)
  (qualified_identifier) @call
  (template_function name: (identifier) @call)
  (field_expression field: (template_method name: (field_identifier) @call))
])
(new_expression type: [(type_identifier) @call (qualified_identifier) @call (template_type name: (type_identifier) @call)])
(preproc_include) @importing
(preproc_include path: (_) @module)
(comment) @comment
(string_content) @text
(raw_string_content) @text
(char_literal) @text`,
	},
	{
		name: "java",
		extensions: ["java"],
		query: `
(method_declaration name: (identifier) @method body: (block))
(method_declaration !body name: (identifier) @declaration)
(constructor_declaration name: (identifier) @method)
(compact_constructor_declaration name: (identifier) @method)
(class_declaration name: (identifier) @type)
(interface_declaration name: (identifier) @type)
(enum_declaration name: (identifier) @type)
(record_declaration name: (identifier) @type)
(annotation_type_declaration name: (identifier) @type)
(field_declaration declarator: (variable_declarator name: (identifier) @value))
(constant_declaration declarator: (variable_declarator name: (identifier) @value))
(enum_constant name: (identifier) @value)
(method_invocation name: (identifier) @call)
(object_creation_expression type: [(type_identifier) @call (generic_type (type_identifier) @call) (scoped_type_identifier (type_identifier) @call .)])
(import_declaration) @importing
(import_declaration (scoped_identifier) @module)
(line_comment) @comment
(block_comment) @comment
(string_literal) @text
(character_literal) @text`,
	},
	{
		name: "c-sharp",
		extensions: ["cs"],
		query: `
(method_declaration name: (identifier) @method)
(constructor_declaration name: (identifier) @method)
(local_function_statement name: (identifier) @function)
(class_declaration name: (identifier) @type)
(interface_declaration name: (identifier) @type)
(struct_declaration name: (identifier) @type)
(record_declaration name: (identifier) @type)
(enum_declaration name: (identifier) @type)
(delegate_declaration name: (identifier) @type)
(property_declaration name: (identifier) @value)
(enum_member_declaration name: (identifier) @value)
(field_declaration (variable_declaration (variable_declarator name: (identifier) @value)))
(invocation_expression function: [
  (identifier) @call
  (generic_name (identifier) @call)
  (member_access_expression name: [(identifier) @call (generic_name (identifier) @call)])
  (conditional_access_expression (member_binding_expression name: (identifier) @call))
])
(object_creation_expression type: [(identifier) @call (generic_name (identifier) @call) (qualified_name name: (identifier) @call)])
(attribute name: (identifier) @call)
(using_directive) @importing
(using_directive [(identifier) (qualified_name)] @module)
(comment) @comment
(string_literal) @text
(verbatim_string_literal) @text
(raw_string_literal) @text
(character_literal) @text
(string_content) @text`,
	},
	{
		name: "ruby",
		extensions: ["rb", "rake", "gemspec", "ru"],
		interpreter: /\bruby\b/,
		query: `
(method name: (_) @method)
(singleton_method name: (_) @method)
(alias name: (_) @method)
(class name: [(constant) @type (scope_resolution name: (constant) @type)])
(module name: [(constant) @type (scope_resolution name: (constant) @type)])
(assignment left: (constant) @value)
((call method: (identifier) @_how arguments: (argument_list (simple_symbol) @method)) (#match? @_how "^(attr_(reader|writer|accessor)|define_method|alias_method|delegate|def_delegators?)$"))
(call method: (_) @call)
((call method: (identifier) @_how arguments: (argument_list (string (string_content) @module))) @importing (#match? @_how "^(require|require_relative|load|autoload)$"))
(comment) @comment
(string_content) @text
(heredoc_content) @text`,
	},
	{
		name: "php",
		extensions: ["php", "phtml", "inc"],
		interpreter: /\bphp\b/,
		query: `
(function_definition name: (name) @function)
(method_declaration name: (name) @method body: (_))
(method_declaration !body name: (name) @declaration)
(class_declaration name: (name) @type)
(interface_declaration name: (name) @type)
(trait_declaration name: (name) @type)
(enum_declaration name: (name) @type)
(const_declaration (const_element (name) @value))
(enum_case name: (name) @value)
(function_call_expression function: [(name) @call (qualified_name (name) @call)])
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression [(name) @call (qualified_name (name) @call)])
(namespace_use_declaration) @importing
(namespace_use_clause [(qualified_name) (name)] @module)
(include_expression (string (string_content) @module))
(include_once_expression (string (string_content) @module))
(require_expression (string (string_content) @module))
(require_once_expression (string (string_content) @module))
(comment) @comment
(string_content) @text
(text) @text`,
	},
	{
		name: "bash",
		extensions: ["sh", "bash", "ksh", "bats", "zsh"],
		interpreter: /\b(?:sh|bash|dash|ksh|zsh|bats)\b/,
		query: `
(function_definition name: (word) @function)
(program (variable_assignment name: (variable_name) @value))
(program (declaration_command (variable_assignment name: (variable_name) @value)))
(command name: (command_name (word) @call))
((command name: (command_name (word) @_how) argument: [(word) @module (string) @module (raw_string) @module (concatenation) @module]) @importing (#match? @_how "^(source|[.])$"))
(comment) @comment
(string_content) @text
(raw_string) @text
(heredoc_body) @text`,
	},
	{
		name: "powershell",
		extensions: ["ps1", "psm1"],
		query: `
(function_statement (function_name) @function)
(class_statement (simple_name) @type)
(command command_name: (command_name) @call)
(comment) @comment
(verbatim_string_characters) @text`,
	},
];
