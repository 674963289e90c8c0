import { createOpenStore } from '../loading/open-store.ts'

/** True once an editor has been open. Parts that editors may need without a server are then preloaded. */
export const EDITORS = createOpenStore()
