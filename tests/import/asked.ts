import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile } from '@burgee/engine'
import type { Installation } from '@burgee/import/model/installation'
import type { ImportSource } from '@burgee/import/model/source'
import type { DocumentPlace } from '@burgee/import/unleash/documents/unleash-files'
import { rulesOf } from '@burgee/import/verify/flag-rules'
import { heldDocument } from '@burgee/import/verify/held-document'
import { ContextSample } from '@burgee/import/verify/sample-contexts'
import type { Context } from '@burgee/protocol/context'

/** Where flags of these tests come to. */
export const PLACE = { project: 'shop', environment: 'production' }
/** When these tests are. */
export const NOW = Date.parse('2026-06-01T12:00:00Z')

/** Reads a document as a source reads a file. */
export async function readAs(
  source: (place: DocumentPlace, clock: () => number) => ImportSource,
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

/** What SDKs would be told of a flag: off, on, or the value that its variant carries, as JSON. */
export function asker(installation: Installation, environment = PLACE.environment, random = () => 0.5) {
  const document = heldDocument(installation, environment)
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

/** All answers that requests with one context get, whatever chance says. */
export function answersByChance(installation: Installation, flag: string, context: Context): string[] {
  const draws = Array.from({ length: 20 }, (_, at) => at / 20)
  return [...new Set(draws.map((draw) => asker(installation, PLACE.environment, () => draw).answer(flag, context)))]
}

/** Contexts around the bounds of all flags, and some that mix them. */
export function contextsFor(document: ReturnType<typeof heldDocument>, count: number): Context[] {
  const sample = new ContextSample([rulesOf(document)], { seed: 7, contexts: count })
  return [...document.features.flatMap(({ name }) => sample.aimedAt(name)), ...sample.mixed()]
}

/** What is said of a flag: its fidelity in each environment, `exact` where nothing is. */
export function fidelityOf({ notes }: Installation, flag: string): string {
  const own = notes.filter(
    ({ name, kind }) => (kind === 'flag' || kind === 'dependency') && (name === flag || name.startsWith(`${flag} in `)),
  )
  const worst = ['not carried', 'approximated'].find((word) => own.some(({ fidelity }) => fidelity === word))
  return worst ?? 'exact'
}
