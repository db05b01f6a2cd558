import type { ComponentProps, ReactNode } from 'react';

interface ScrollAreaProps {
  /** The name for screen readers. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** An area that scrolls by keyboard as well as by mouse. */
export function ScrollArea({ label, className, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only a focusable element scrolls by keyboard.
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** Text with line breaks that scrolls by keyboard as well as by mouse. */
export function ScrollableText(props: ComponentProps<'pre'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: only a focusable element scrolls by keyboard.
  return <pre {...props} tabIndex={0} />;
}
