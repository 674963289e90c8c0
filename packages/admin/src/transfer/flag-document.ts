import type {
  FeatureDocument,
  FeatureImport,
  TransferredStrategy,
} from '@burgee/protocol/administration/feature-transfer'

/** Most bytes that the server takes of a document. */
export const MOST_BYTES = 8 * 1024 * 1024

const LISTS = ['features', 'featureStrategies', 'tagTypes'] as const

/** Exported flags as somebody gave them; undefined where it is something else. What is in the lists the server checks. */
export function documentOf(text: string): FeatureDocument | undefined {
  try {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>> | null
    const isOne = given !== null && typeof given === 'object' && LISTS.every((list) => Array.isArray(given[list]))
    return isOne ? (given as unknown as FeatureDocument) : undefined
  } catch {
    return undefined
  }
}

/** A flag of a document as an import leaves it in the environment. */
export interface ComingFlag {
  readonly name: string
  /** Undefined where the document does not say it: a flag that is there stays as it is, a new one is off. */
  readonly isOn: boolean | undefined
  readonly strategies: readonly TransferredStrategy[]
}

/** Returns what flags of a document will be; one that is on without an enabled strategy gets one for everyone. */
export function comingFlags({ environment, data, closeUnguarded = false }: FeatureImport): ComingFlag[] {
  const strategies = Map.groupBy(data.featureStrategies, ({ featureName }) => featureName)
  const states = Map.groupBy(data.featureEnvironments ?? [], ({ featureName }) => featureName)
  return [...new Set(data.features.map(({ name }) => name))].map((name) => {
    const own = strategies.get(name) ?? []
    const all = states.get(name) ?? []
    const state = all.find((one) => one.environment === environment) ?? all[0]
    const isGuarded = own.some(({ disabled }) => disabled !== true)
    if (isGuarded) return { name, isOn: state?.enabled, strategies: own }
    const isOn = state?.enabled === true && !closeUnguarded
    return { name, isOn, strategies: isOn ? [...own, { name: 'default', featureName: name }] : own }
  })
}

/** Gives the browser a document as a file. */
export function saveAsFile(document: FeatureDocument, name: string): void {
  const blob = new Blob([`${JSON.stringify(document, undefined, 2)}\n`], { type: 'application/json' })
  const link = globalThis.document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // the browser begins to read it only after this
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** What a file of exported flags is called. */
export const fileNameOf = (project: string, environment: string): string => `flags-${project}-${environment}.json`
