import type { ImportPlan, ImportPlanRequest, ImportRequest, ImportResult } from '@burgee/protocol/administration/import'
import { callWithLongTimeout } from '../api/http.ts'

/** Previews an import. */
export const planImport = (wish: ImportPlanRequest) => callWithLongTimeout<ImportPlan>('/api/admin/imports/plan', wish)

/** Runs an import exactly as previewed. */
export const runImport = (request: ImportRequest) => callWithLongTimeout<ImportResult>('/api/admin/imports', request)
