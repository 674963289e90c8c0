import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type AnchorProps = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps> & Omit<ButtonProps, 'component'>

function Anchor(props: AnchorProps) {
  return <Button component="a" size="compact-sm" variant="default" {...props} />
}

/** Link that looks like a small button. */
export const LinkButton = createLink(Anchor)
