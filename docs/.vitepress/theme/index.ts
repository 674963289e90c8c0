import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import './site.css'

/** The default theme with the system's fonts and the colours of the admin UI. */
export default DefaultTheme satisfies Theme
