import { createTheme } from '@mantine/core'

/** Color schemes: light, dark or system setting. */
export const COLOR_SCHEMES = ['light', 'dark', 'auto'] as const

/**
 * Id of the element into which menus, lists and panels above the page are rendered. The element is inside the page's
 * `main`, because users of assistive technology easily miss content outside of landmarks.
 */
export const POPOVER_CONTAINER_ID = 'popovers'

/** Dropdown lists scroll by themselves (ui/style/global.css), as axe and assistive technology expect of a combobox. */
const SCROLLS_ITSELF = { withScrollArea: false }

/** Enter selects the first match instead of submitting the form. */
const TAKES_FIRST = { selectFirstOptionOnChange: true }

/** The header of a dialog must not count as a page banner, because a page has only one. */
const NO_BANNER = { header: { role: 'none' } }

/**
 * Colors, and default properties of components. Refers to components by name, so that no component is loaded before it
 * is used. Variables that are derived from the theme are in ui/style/global.css, because the content security policy
 * forbids style elements.
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
        lockScroll: false,
        centered: true,
        transitionProps: { duration: 120 },
        attributes: NO_BANNER,
      },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 160, transition: 'slide-left' }, attributes: NO_BANNER } },
    Popover: { defaultProps: { shadow: 'md', portalProps: { target: `#${POPOVER_CONTAINER_ID}` } } },
    // The first item gets the focus, and the menu contains items only.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Select: { defaultProps: { ...SCROLLS_ITSELF, ...TAKES_FIRST, allowDeselect: false, checkIconPosition: 'right' } },
    MultiSelect: { defaultProps: { ...SCROLLS_ITSELF, ...TAKES_FIRST } },
    Autocomplete: { defaultProps: SCROLLS_ITSELF },
    TagsInput: { defaultProps: SCROLLS_ITSELF },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
  },
})
