import { compilePattern, MAX_PATTERN_SIZE } from '@burgee/engine/rules/pattern'
import { invalid } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type { FlagRules, FlagRulesInput } from '@burgee/protocol/project'
import type { Reader } from '@burgee/storage/database'
import type { ProjectRow } from '@burgee/storage/queries/projects/projects'
import { checkTemplates } from '../projects/feature-links.ts'

type RuleColumns = Pick<
  ProjectRow,
  | 'feature_naming_pattern'
  | 'feature_naming_example'
  | 'feature_naming_description'
  | 'feature_limit'
  | 'link_templates'
>

/** Rules of a project for which no rules were set. */
export const NO_RULES: RuleColumns = {
  feature_naming_pattern: null,
  feature_naming_example: null,
  feature_naming_description: null,
  feature_limit: null,
  link_templates: [],
}

/** Returns the flag rules of a project, as the admin API shows them. */
export function toFlagRules(row: RuleColumns): FlagRules {
  return {
    featureNaming: {
      pattern: row.feature_naming_pattern,
      example: row.feature_naming_example,
      description: row.feature_naming_description,
    },
    featureLimit: row.feature_limit,
    linkTemplates: row.link_templates,
  }
}

/**
 * Validates flag rules and returns the rules in stored form. Omitted rules keep their value, and null removes a rule. A
 * new naming rule replaces the previous naming rule, and new link templates replace the previous link templates.
 * Existing flags are not checked against the new rules. Throws ValidationError for an invalid pattern, or for an
 * example that does not match the pattern.
 */
export function parseRules(
  {
    featureNaming,
    featureLimit,
    linkTemplates,
  }: { readonly [Key in keyof FlagRulesInput]?: FlagRulesInput[Key] | undefined },
  before: RuleColumns,
): RuleColumns {
  const { feature_naming_pattern, feature_naming_example, feature_naming_description } = before
  const naming = { feature_naming_pattern, feature_naming_example, feature_naming_description }
  return {
    ...(featureNaming === undefined ? naming : parseNaming(featureNaming ?? {})),
    feature_limit: featureLimit === undefined ? before.feature_limit : featureLimit,
    link_templates: linkTemplates === undefined ? before.link_templates : checkTemplates(linkTemplates),
  }
}

type NamingInput = NonNullable<FlagRulesInput['featureNaming']>

/** Validates a naming rule. Treats empty strings as null. */
function parseNaming(naming: NamingInput): Omit<RuleColumns, 'feature_limit' | 'link_templates'> {
  const [pattern, example, description] = [naming.pattern || null, naming.example || null, naming.description || null]
  if (pattern === null && (example !== null || description !== null)) {
    throw invalid('"pattern" is required if an example or a description is given', `${NAMING}/pattern`)
  }
  if (pattern !== null) requirePattern(pattern)
  if (pattern !== null && example !== null && !matchesPattern(pattern, example)) {
    throw invalid(`"example" must match the pattern "${pattern}"`, `${NAMING}/example`)
  }
  return { feature_naming_pattern: pattern, feature_naming_example: example, feature_naming_description: description }
}

const NAMING = 'body/featureNaming'

function requirePattern(text: string): void {
  const pattern = compilePattern(text, false)
  if (pattern === undefined) {
    throw invalid('"pattern" must be a regular expression in RE2 syntax', `${NAMING}/pattern`)
  }
  if (pattern.programSize() <= MAX_PATTERN_SIZE) return
  const max = MAX_PATTERN_SIZE.toLocaleString('en-US')
  throw invalid(`"pattern" must have at most ${max} RE2 instructions`, `${NAMING}/pattern`)
}

/** Rejects flag names that do not match the project's pattern. Throws ValidationError. */
export function requireFittingName(project: RuleColumns & Pick<ProjectRow, 'id'>, name: string): void {
  const { feature_naming_pattern: pattern, feature_naming_example: example } = project
  if (pattern === null || matchesPattern(pattern, name)) return
  const texts = [
    `The flag name "${name}" does not match the naming pattern of the project "${project.id}": "${pattern}".`,
    ...(example === null ? [] : [`Example of a valid name: "${example}".`]),
    ...(project.feature_naming_description === null ? [] : [project.feature_naming_description]),
  ]
  throw invalid(texts.join(' '), 'body/name')
}

/**
 * Throws InvalidOperationError if new flags would exceed the flag limit of their project. Archived flags do not count
 * toward the limit.
 */
export async function requireRoom(
  reader: Reader,
  { id, feature_limit: limit }: RuleColumns & Pick<ProjectRow, 'id'>,
  more: number,
): Promise<void> {
  if (limit === null) return
  const row = await reader
    .selectFrom('features')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (Number(row?.count ?? 0) + more <= limit) return
  throw new Problem('InvalidOperationError', `The project "${id}" has reached the maximum number of flags, ${limit}.`)
}

/** Returns true if the pattern matches the whole name, as if the pattern stood between `^` and `$`. */
function matchesPattern(pattern: string, name: string): boolean {
  return compilePattern(pattern, false)?.matcher(name).matches() ?? true
}
