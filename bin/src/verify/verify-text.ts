import type { Explanation } from '@burgee/engine'
import type { ComparedPart, Difference } from '@burgee/import/verify/compared-part'
import type { Pair } from '@burgee/import/verify/definition-difference'
import { escapeNames } from '@burgee/kit/terminal-text'
import { formatExplanation } from '../evaluate/evaluation-text.ts'

const MAX_NAMES = 10
const MAX_DIFFERENCES = 1000

/** Returns true if flags were compared and there is no difference in any part. */
export function isEqual(parts: readonly ComparedPart[]): boolean {
  return hasCompared(parts) && parts.every(({ differences }) => differences.length === 0)
}

/**
 * Returns true if at least one flag was compared. If neither side has flags, the token or file may be the wrong one.
 */
function hasCompared(parts: readonly ComparedPart[]): boolean {
  return parts.some(({ flags, byChance = [] }) => flags.length > byChance.length)
}

/**
 * Formats a comparison for a terminal. If all flags are equal, shows counts; otherwise shows the first difference and
 * the names of all other differing flags.
 */
export function formatComparison(compared: readonly ComparedPart[], names: Pair<string>): string {
  const parts = escapeNames(compared)
  const lines = [
    ...parts.flatMap((part) => [`${formatHeading(part)}: ${formatPartResult(part)}`, ...formatChances(part)]),
    ...formatIpv6Lists(parts),
  ]
  const first = parts.find(({ differences }) => differences.length > 0)
  if (first === undefined) {
    return [
      ...lines,
      hasCompared(parts) ? formatTotal(parts) : 'Nothing was compared: neither side returned a flag',
    ].join('\n')
  }
  const [difference, ...others] = first.differences
  return [
    ...lines,
    '',
    ...(difference === undefined ? [] : formatDifference(difference, first, names)),
    ...(others.length === 0 ? [] : ['', `Further flags that differ there: ${formatNames(others)}`]),
  ].join('\n')
}

/** Returns the comparison as JSON. */
export function toComparisonJson(parts: readonly ComparedPart[], names: Pair<string>, seed: number): object {
  return {
    equal: isEqual(parts),
    compared: hasCompared(parts),
    a: names.a,
    b: names.b,
    seed,
    parts: parts.map(({ differences, flags, byChance = [], ipv6Lists = [], ...part }) => ({
      ...part,
      byChance,
      ipv6Lists,
      flags: flags.length,
      different: differences.length,
      differences: differences.slice(0, MAX_DIFFERENCES).map(({ why, ...difference }, index) => ({
        ...difference,
        ...(why === undefined ? {} : { a: toAnswer(why.a), b: toAnswer(why.b) }),
        ...(why === undefined || index > 0 ? {} : { why }),
      })),
    })),
  }
}

function formatHeading({ environment, token, kind, flags, contexts, aimed }: ComparedPart): string {
  const place = token === undefined ? environment : `${environment}, ${token}`
  if (kind === 'token') return place
  const around = aimed === 0 ? '' : `, and ${formatCount(aimed, 'context')} at the limits of single flags`
  if (kind === 'frontend') return `${place}, frontend results: ${formatCount(contexts, 'context')}`
  return `${place}: ${formatCount(flags.length, 'flag')} × ${formatCount(contexts, 'context')}${around}`
}

function formatPartResult({ kind, differences, flags }: ComparedPart): string {
  if (differences.length > 0) return formatCount(differences.length, 'difference')
  if (kind === 'token') return 'both refuse it, nothing was compared'
  return flags.length === 0 ? 'nothing was compared' : 'equal'
}

function formatChances({ byChance = [] }: ComparedPart): string[] {
  return byChance.length === 0 ? [] : [`  decided at random, not compared: ${byChance.join(', ')}`]
}

/** Describes the flags that both sides define in the same way but, if only one side is Burgee, evaluate differently. */
function formatIpv6Lists(parts: readonly ComparedPart[]): string[] {
  const names = [...new Set(parts.flatMap(({ ipv6Lists = [] }) => ipv6Lists))]
  if (names.length === 0) return []
  const what = 'Strategy "remoteAddress" lists IPv6 addresses. Ranges and other spellings match in Burgee'
  return [`${what}, but not in the Node SDK, nor in the server and proxy built on it: ${formatList(names)}`]
}

function formatTotal(parts: readonly ComparedPart[]): string {
  const flags = new Set(parts.flatMap((part) => part.flags)).size
  const environments = new Set(parts.filter((part) => part.flags.length > 0).map(({ environment }) => environment)).size
  const contexts = Math.max(0, ...parts.map((part) => part.contexts))
  return `${formatCount(flags, 'flag')} × ${formatCount(contexts, 'context')} × ${formatCount(environments, 'environment')}: equal`
}

function formatDifference({ flag, says, context, why }: Difference, part: ComparedPart, names: Pair<string>): string[] {
  const place = `in ${part.environment}`
  if (flag === undefined) return [`The token differs ${place}: ${says.join('; ')}`]
  const defined = says.map((line) => `Defined: ${line}`)
  if (context === undefined) {
    return [`${flag} is defined differently ${place}; no sampled context gets a different result.`, ...defined]
  }
  const head = `${flag} differs ${place} for the context ${JSON.stringify(context)}`
  if (why === undefined) return [head, ...says]
  return [head, '', ...formatSide(names.a, why.a), '', ...formatSide(names.b, why.b), '', ...defined]
}

function formatSide(name: string, why: Explanation): string[] {
  if (!why.known) return [`${name}: does not have it`]
  return [
    `${name}:`,
    ...formatExplanation(why, { warnings: [] })
      .split('\n')
      .filter((line) => line !== ''),
  ]
}

function formatNames(differences: readonly Difference[]): string {
  return formatList(differences.map(({ flag }) => flag ?? ''))
}

function formatList(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function toAnswer({ known, isEnabled, variant }: Explanation): object {
  return known ? { enabled: isEnabled, variant } : { known }
}

function formatCount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
