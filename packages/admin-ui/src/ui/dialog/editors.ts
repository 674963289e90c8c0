import { createOpenStore } from '../loading/open-store.ts'

/**
 * True once any editor has been opened. From then on, parts of the page that editors can need while the server is
 * unreachable are preloaded.
 */
export const EDITORS = createOpenStore()
