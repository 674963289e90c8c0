import type {
  ExportSelection,
  FeatureDocument,
  FeatureImport,
  ImportFindings,
} from '@burgee/protocol/administration/feature-transfer'
import { callWithLongTimeout, postLongQuery } from '../api/http.ts'

const BATCH = '/api/admin/features-batch'

/** Exports flags with their state in one environment, and all objects on which the flags depend. */
export const exportFlags = (selection: ExportSelection) =>
  callWithLongTimeout<FeatureDocument>(`${BATCH}/export`, selection)

/** Checks an import without writing anything. Returns the findings with their ETag. */
export const checkImport = (input: FeatureImport) => postLongQuery<ImportFindings>(`${BATCH}/validate`, input)

/** Imports a document, either completely or not at all. Fails with 412 if the check no longer matches `ifMatch`. */
export const importFlags = (input: FeatureImport, ifMatch: string | undefined) =>
  callWithLongTimeout<void>(`${BATCH}/import`, input, ifMatch)
