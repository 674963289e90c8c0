import { createOpenStore } from '../ui/loading/open-store.ts'

/** The palette. */
export const PALETTE = createOpenStore()

/** What others did that concerns me. */
export const NOTIFICATION_PANEL = createOpenStore()

/** The list of keys. */
export const SHORTCUT_LIST = createOpenStore()
