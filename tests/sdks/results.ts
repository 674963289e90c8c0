import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { TARGET_NAMES, type TargetName } from './installation.ts'
import type { SdkVersion } from './sdk-versions.ts'

const FILE = join(import.meta.dirname, 'results.json')

/** Outcome of each scenario, by target: `passed`, or `known` if a known fault of the SDK occurred. */
export interface SdkResult {
  readonly language: string
  readonly package: string
  readonly version: string
  readonly api: SdkVersion['api']
  readonly targets: Partial<Record<TargetName, Readonly<Record<string, string>>>>
}

const noted = new Map<string, SdkResult>()
const getKey = ({ language, package: name, version }: Pick<SdkResult, 'language' | 'package' | 'version'>) =>
  `${language} ${name} ${version}`

const readStored = (): readonly SdkResult[] => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [])

/**
 * Compares the outcomes of one version at one target with the results file, from which the documentation is generated.
 * With UPDATE_DOCS, stores the outcomes for `saveResults` instead.
 */
export function noteResult(
  { language, package: name, version, api }: SdkVersion,
  target: TargetName,
  outcomes: Readonly<Record<string, string>>,
): void {
  const own = { language, package: name, version, api }
  if (process.env.UPDATE_DOCS === undefined) {
    const stored = readStored().find((result) => getKey(result) === getKey(own))
    expect(stored?.targets[target], 'UPDATE_DOCS=1 writes the results').toEqual(outcomes)
    return
  }
  const { targets } = noted.get(getKey(own)) ?? { targets: {} }
  noted.set(getKey(own), { ...own, targets: { ...targets, [target]: outcomes } })
}

/** With UPDATE_DOCS, writes the results of this run to the results file, in the order of the versions. */
export function saveResults(versions: readonly SdkVersion[]): void {
  if (noted.size === 0) return
  const stored = new Map(readStored().map((result) => [getKey(result), result]))
  const results = versions.flatMap((version) => noted.get(getKey(version)) ?? stored.get(getKey(version)) ?? [])
  const sorted = results.map(({ targets, ...own }) => {
    const entries = TARGET_NAMES.flatMap((name) =>
      targets[name] === undefined ? [] : [[name, targets[name]] as const],
    )
    return { ...own, targets: Object.fromEntries(entries) }
  })
  writeFileSync(FILE, `${JSON.stringify(sorted, undefined, 2)}\n`)
}
