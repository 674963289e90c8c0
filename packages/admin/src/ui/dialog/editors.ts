import { createOpenStore } from '../loading/open-store.ts'

/** An editor, open now or before: what it may need without a server is loaded then. */
export const EDITORS = createOpenStore()
