import { createOpenStore } from '../ui/loading/open-store.ts'

/** Open state of the palette. */
export const PALETTE = createOpenStore()

/** Open state of the notification panel. */
export const NOTIFICATION_PANEL = createOpenStore()

/** Open state of the list of keyboard shortcuts. */
export const SHORTCUT_LIST = createOpenStore()
