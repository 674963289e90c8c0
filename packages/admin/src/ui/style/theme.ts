import { createTheme } from '@mantine/core'

/** Themes to choose from: light, dark, or as the system has it. */
export const COLOR_SCHEMES = ['light', 'dark', 'auto'] as const

/** Where menus, lists and panels that open above a page stand: it is in the page's `main`, as what is in no landmark is easily missed. */
export const POPOVER_PLACE = 'popovers'

/** A list of choices scrolls by itself (ui/style/global.css), as axe and assistive technology expect of a combobox. */
const SCROLLS_ITSELF = { withScrollArea: false }

/** Enter takes the first choice that matches what is typed, instead of sending the form around the field. */
const TAKES_FIRST = { selectFirstOptionOnChange: true }

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
    Popover: { defaultProps: { portalProps: { target: `#${POPOVER_PLACE}` } } },
    // the first item has the focus, and nothing is in a menu that is no item
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Select: { defaultProps: { ...SCROLLS_ITSELF, ...TAKES_FIRST, allowDeselect: false, checkIconPosition: 'right' } },
    MultiSelect: { defaultProps: { ...SCROLLS_ITSELF, ...TAKES_FIRST } },
    Autocomplete: { defaultProps: SCROLLS_ITSELF },
    TagsInput: { defaultProps: SCROLLS_ITSELF },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
})
