import { createOpenStore } from '../ui/loading/open-store.ts'

/** The palette. */
export const PALETTE = createOpenStore()

/** The list of keys. */
export const SHORTCUT_LIST = createOpenStore()
