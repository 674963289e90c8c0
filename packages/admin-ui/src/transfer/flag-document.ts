import type {
  FeatureDocument,
  FeatureImport,
  TransferredStrategy,
} from '@burgee/protocol/administration/feature-transfer'

/** Maximum size of a document that the server accepts, in bytes. */
export const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024

const REQUIRED_LISTS = ['features', 'featureStrategies', 'tagTypes'] as const

/**
 * Parses exported flags. Returns undefined for text that does not contain exported flags. The entries of its lists are
 * validated by the server.
 */
export function parseDocument(text: string): FeatureDocument | undefined {
  try {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>> | null
    const isOne =
      given !== null && typeof given === 'object' && REQUIRED_LISTS.every((list) => Array.isArray(given[list]))
    return isOne ? (given as unknown as FeatureDocument) : undefined
  } catch {
    return undefined
  }
}

/** State of an imported flag in the target environment. */
export interface ImportedFlag {
  readonly name: string
  /**
   * State that the flag has after the import. Undefined if the document has no state for the flag; existing flags then
   * keep their state, and new flags are off.
   */
  readonly isOn: boolean | undefined
  readonly strategies: readonly TransferredStrategy[]
}

/**
 * Returns the state of a document's flags after the import. An enabled flag without an enabled strategy gets a strategy
 * for everyone, unless `closeUnguarded` turns the flag off.
 */
export function previewFlags({ environment, data, closeUnguarded = false }: FeatureImport): ImportedFlag[] {
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

/** Downloads a document as a file. */
export function saveAsFile(document: FeatureDocument, name: string): void {
  const blob = new Blob([`${JSON.stringify(document, undefined, 2)}\n`], { type: 'application/json' })
  const link = globalThis.document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Revoke the URL later, because browsers only read it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Returns the file name for an export. */
export const getFileName = (project: string, environment: string): string => `flags-${project}-${environment}.json`
