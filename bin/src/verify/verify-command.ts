import { type ComparedPart, compareDocuments, type PartSettings } from '@burgee/import/verify/compared-part'
import { parseOptions } from '@burgee/kit/options/options'
import { readFlags } from '../evaluate/feature-documents.ts'
import type { CommandOutput } from '../running.ts'
import { compareServers } from './two-servers.ts'
import { type ComparisonSubject, readComparisonSubject, VERIFY_OPTIONS } from './verify-options.ts'
import { formatComparison, isEqual, toComparisonJson } from './verify-text.ts'

/**
 * Runs `burgee verify --against URL` or `burgee verify --file A --file B`: compares the flags of both sides. Returns
 * code 0 if they are equal, otherwise 1 and a description of the first difference.
 */
export async function runVerify(argv: readonly string[]): Promise<CommandOutput> {
  const options = parseOptions(VERIFY_OPTIONS, { env: process.env, argv })
  const compared = await readComparisonSubject(options, argv)
  const names = getNames(compared)
  const { contexts, seed, json } = options
  const parts = await compareParts(compared, { names, comparison: { contexts, seed, nowMs: Date.now() } })
  const text = json
    ? JSON.stringify(toComparisonJson(parts, names, seed), undefined, 2)
    : formatComparison(parts, names)
  return { code: isEqual(parts) ? 0 : 1, text }
}

function getNames(compared: ComparisonSubject): PartSettings['names'] {
  if (compared.kind === 'servers') return { a: compared.against, b: compared.url }
  return { a: compared.a, b: compared.b }
}

async function compareParts(compared: ComparisonSubject, settings: PartSettings): Promise<ComparedPart[]> {
  if (compared.kind === 'servers') {
    return compareServers({ a: compared.against, b: compared.url }, compared.tokens, settings)
  }
  const place = { environment: 'files', token: undefined, kind: 'files' } as const
  const documents = { a: await readFlags(compared.a), b: await readFlags(compared.b) }
  return [compareDocuments(place, documents, settings)]
}
