import { ActionIcon, Button, UnstyledButton } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import styles from './light-button.module.css'

const SHARED = `mantine-focus-auto mantine-active ${UnstyledButton.classes.root}`
const BUTTON = `${SHARED} mantine-Button-root ${Button.classes.root}`
const ICON_BUTTON = `${SHARED} mantine-ActionIcon-root ${ActionIcon.classes.root}`

interface Props extends ComponentPropsWithRef<'button'> {
  /**
   * Appearance of the button: `main` for the main action of a page, `chosen` for a pressed button, `plain` for a button
   * without a border.
   */
  readonly look?: 'framed' | 'main' | 'chosen' | 'plain'
  /** Icons next to the label. */
  readonly left?: React.ReactNode
  readonly right?: React.ReactNode
}

/**
 * Button that looks like the component library's button but has fewer elements, for the first view of a page. The
 * button has no loading or disabled state.
 */
export function LightButton({ look = 'framed', left, right, className = '', children, ...rest }: Props) {
  return (
    <button type="button" {...rest} className={`${BUTTON} ${styles[look]} ${className}`}>
      <span className={Button.classes.inner}>
        {left && <Section at="left">{left}</Section>}
        <span className={Button.classes.label}>{children}</span>
        {right && <Section at="right">{right}</Section>}
      </span>
    </button>
  )
}

function Section({ at, children }: { at: 'left' | 'right'; children: React.ReactNode }) {
  return (
    <span className={`mantine-Button-section ${Button.classes.section}`} data-position={at}>
      {children}
    </span>
  )
}

/** Icon button with the same appearance as `LightButton`. The label of the button is in `aria-label`. */
export function LightIconButton({ className = '', children, ...rest }: ComponentPropsWithRef<'button'>) {
  return (
    <button type="button" {...rest} className={`${ICON_BUTTON} ${styles.icon} ${className}`}>
      <span className={ActionIcon.classes.icon}>{children}</span>
    </button>
  )
}
