import type {
  ExportSelection,
  FeatureDocument,
  FeatureImport,
  ImportFindings,
} from '@burgee/protocol/administration/feature-transfer'
import { askTagged, callPatiently } from '../api/http.ts'

const BATCH = '/api/admin/features-batch'

/** Exports flags in their state in one environment, with everything else that they need. */
export const exportFlags = (selection: ExportSelection) => callPatiently<FeatureDocument>(`${BATCH}/export`, selection)

/** Checks an import without writing anything. Returns the findings with their ETag. */
export const checkImport = (input: FeatureImport) => askTagged<ImportFindings>(`${BATCH}/validate`, input)

/** Imports a document, either completely or not at all. Fails with 412 if the check no longer matches `ifMatch`. */
export const importFlags = (input: FeatureImport, ifMatch: string | undefined) =>
  callPatiently<void>(`${BATCH}/import`, input, ifMatch)
