import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile } from '@burgee/engine'
import type { Installation } from '@burgee/import/model/installation'
import type { ImportSource } from '@burgee/import/model/source'
import type { EnvironmentFile } from '@burgee/import/unleash/documents/unleash-files'
import { ContextSample } from '@burgee/import/verify/sample-contexts'
import { indexRules } from '@burgee/import/verify/sampled-rules'
import { buildSourceDocument } from '@burgee/import/verify/source-document'
import type { Context } from '@burgee/protocol/context'

/** Target of the imports in these tests. */
export const PLACE = { project: 'shop', environment: 'production' }
/** Current time of these tests. */
export const NOW = Date.parse('2026-06-01T12:00:00Z')

/** Reads a document through a file source. */
export async function readAs(
  source: (place: EnvironmentFile, clock: () => number) => ImportSource,
  document: unknown,
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-import-'))
  const path = join(folder, 'flags.json')
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document))
  try {
    return await source({ path, ...PLACE }, () => NOW).read()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns what SDKs would get for a flag: off, on, or the value of its variant as JSON. */
export function asker(installation: Installation, environment = PLACE.environment, random = () => 0.5) {
  const document = buildSourceDocument(installation, environment)
  const { engine, warnings } = compile(document, { clock: () => NOW, random })
  const answer = (flag: string, context: Context): string => {
    const { enabled, variant } = engine.evaluate(flag, context)
    if (!enabled) return 'off'
    const { payload } = variant
    if (!variant.enabled || payload === undefined) return 'on'
    return payload.type === 'string' ? JSON.stringify(payload.value) : payload.value
  }
  return { answer, warnings, document }
}

/** Returns all results that are possible for one context, over all random values. */
export function answersByChance(installation: Installation, flag: string, context: Context): string[] {
  const draws = Array.from({ length: 20 }, (_, at) => at / 20)
  return [...new Set(draws.map((draw) => asker(installation, PLACE.environment, () => draw).answer(flag, context)))]
}

/** Returns contexts near the boundaries of all flags, and some contexts that mix values of all rules. */
export function contextsFor(document: ReturnType<typeof buildSourceDocument>, count: number): Context[] {
  const sample = new ContextSample([indexRules(document)], { seed: 7, contexts: count })
  return [...document.features.flatMap(({ name }) => sample.listTargeted(name)), ...sample.iterateMixed()]
}

/** Returns the worst fidelity reported for a flag in any environment, or `exact` if none is reported. */
export function fidelityOf({ notes }: Installation, flag: string): string {
  const own = notes.filter(
    ({ name, kind }) => (kind === 'flag' || kind === 'dependency') && (name === flag || name.startsWith(`${flag} in `)),
  )
  const worst = ['not carried', 'approximated'].find((word) => own.some(({ fidelity }) => fidelity === word))
  return worst ?? 'exact'
}
