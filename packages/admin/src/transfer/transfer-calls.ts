import type {
  ExportSelection,
  FeatureDocument,
  FeatureImport,
  ImportFindings,
} from '@burgee/protocol/administration/feature-transfer'
import { callPatiently } from '../api/http.ts'

const BATCH = '/api/admin/features-batch'

/** Flags as they are in one environment, with all that they need elsewhere. */
export const exportFlags = (selection: ExportSelection) => callPatiently<FeatureDocument>(`${BATCH}/export`, selection)

/** What an import would mean; nothing is written. */
export const checkImport = (input: FeatureImport) => callPatiently<ImportFindings>(`${BATCH}/validate`, input)

/** Makes and changes flags by a document; all of it, or nothing. */
export const importFlags = (input: FeatureImport) => callPatiently<void>(`${BATCH}/import`, input)
