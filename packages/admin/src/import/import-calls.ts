import type { ImportPlan, ImportRequest, ImportResult, ImportWish } from '@burgee/protocol/administration/import'
import { callPatiently } from '../api/http.ts'

/** Previews an import. */
export const planImport = (wish: ImportWish) => callPatiently<ImportPlan>('/api/admin/imports/plan', wish)

/** Runs an import as previewed. */
export const carryOutImport = (request: ImportRequest) => callPatiently<ImportResult>('/api/admin/imports', request)
