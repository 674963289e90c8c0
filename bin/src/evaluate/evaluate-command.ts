import { hostname } from 'node:os'
import { compile } from '@burgee/engine'
import { findNearestName, formatSuggestion } from '@burgee/kit/options/nearest'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { inHeader, oneOf, text } from '@burgee/kit/options/parsers'
import { EVALUATION_PROFILES } from '@burgee/protocol/evaluation-profile'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import { JSON_OPTION } from '../json-option.ts'
import type { CommandOutput } from '../running.ts'
import { contextList } from './evaluation-context.ts'
import { formatExplanation } from './evaluation-text.ts'
import { download, isAddress, readFlags, toDocumentUrl } from './feature-documents.ts'

/** Options of `burgee evaluate`. */
export const EVALUATE_OPTIONS = {
  context: {
    parse: contextList,
    default: {},
    isRepeatable: true,
    letter: 'c',
    doc: 'Context of the caller: userId=7, plan=paid (any other name is a property), or a JSON object. Repeatable, or comma-separated.',
  },
  token: {
    env: ['BURGEE_TOKEN'],
    parse: inHeader(text),
    secret: true,
    letter: 't',
    doc: 'Backend token, for flags from a URL.',
  },
  profile: {
    env: ['EVALUATION_PROFILE'],
    parse: oneOf(EVALUATION_PROFILES),
    defaultDoc: 'as the server announces, else node',
    doc: 'Evaluation profile where SDKs differ: evaluate like the Node SDK, or like the Yggdrasil engine of other SDKs.',
  },
  ...JSON_OPTION,
} as const satisfies OptionTable

const LIMIT_MS = 15_000
/** Exit code if the flag does not exist. */
const NOT_FOUND = 3
/** Exit code if the flag is off. */
const IS_OFF = 2

/**
 * Runs `burgee evaluate FILE|URL FLAG [options]`: explains whether a flag is on for a context. Returns code 0 if the
 * flag is on, 2 if it is off and 3 if it does not exist.
 */
export async function runEvaluate(argv: readonly string[]): Promise<CommandOutput> {
  const [place, name, ...rest] = argv
  if (place === undefined || name === undefined || place.startsWith('-') || name.startsWith('-')) {
    throw new Error('Name one file or URL with flags: burgee evaluate FILE|URL FLAG [options]')
  }
  const { context, token, profile, json } = parseOptions(EVALUATE_OPTIONS, { env: process.env, argv: rest })
  const decided = new AnnouncedProfile({ configured: profile, fallback: 'node' })
  const onProfile = (announced: string | null) => decided.applyAnnouncement(announced)
  const document = isAddress(place)
    ? await download(toDocumentUrl(place), { token, limitMs: LIMIT_MS, onProfile })
    : await readFlags(place)
  const { engine, warnings } = compile(document, {
    clock: Date.now,
    random: Math.random,
    hostname: hostname(),
    profile: decided.current,
  })
  const explanation = engine.explain(name, { ...context })
  const own = warnings.filter(({ feature }) => feature === undefined || feature === name)
  const code = !explanation.known ? NOT_FOUND : explanation.isEnabled ? 0 : IS_OFF
  if (json) return { code, text: JSON.stringify({ ...explanation, warnings: own }, undefined, 2) }
  if (!explanation.known) {
    const nearest = findNearestName(name, engine.names)
    const meant = formatSuggestion(nearest === undefined ? undefined : `"${nearest}"`)
    return { code, text: `There is no flag "${name}" among ${engine.names.length}${meant}` }
  }
  return { code, text: formatExplanation(explanation, { warnings: own.map(({ message }) => message) }) }
}
