import { createSpotlight } from '@mantine/spotlight'

const [store, palette] = createSpotlight()

/** Whether the palette is open, for its component. */
export const PALETTE = store

/** Opens the palette. */
export const openPalette = (): void => palette.open()
