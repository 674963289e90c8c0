import { createTheme } from '@mantine/core'

/** Themes to choose from: light, dark, or as the system has it. */
export const COLOR_SCHEMES = ['light', 'dark', 'auto'] as const

/** The head of a dialog is none of the page: there is one banner. */
const NO_BANNER = { header: { role: 'none' } }

/**
 * Colours and defaults, of components by their names, so that none comes before it is used. Variables that follow from
 * them are in ui/global.css, as the page may not have style elements.
 */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'var(--font)',
  components: {
    Modal: {
      defaultProps: {
        ...{ lockScroll: false, centered: true, transitionProps: { duration: 120 } },
        attributes: NO_BANNER,
      },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 160, transition: 'slide-left' }, attributes: NO_BANNER } },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
})
