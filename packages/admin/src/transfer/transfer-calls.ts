import type {
  ExportSelection,
  FeatureDocument,
  FeatureImport,
  ImportFindings,
} from '@burgee/protocol/administration/feature-transfer'
import { askTagged, callPatiently } from '../api/http.ts'

const BATCH = '/api/admin/features-batch'

/** Flags as they are in one environment, with all that they need elsewhere. */
export const exportFlags = (selection: ExportSelection) => callPatiently<FeatureDocument>(`${BATCH}/export`, selection)

/** What an import would mean, and the state in which it would; nothing is written. */
export const checkImport = (input: FeatureImport) => askTagged<ImportFindings>(`${BATCH}/validate`, input)

/** Makes and changes flags by a document, all of it or nothing, while it means what it did in the state `ifMatch`; else 412. */
export const importFlags = (input: FeatureImport, ifMatch: string | undefined) =>
  callPatiently<void>(`${BATCH}/import`, input, ifMatch)
