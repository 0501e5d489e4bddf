/** Markdown, as much of it as guides and reports need. */

export function Markdown({ text }: { text: string }) {
  return <pre class="screen">{text}</pre>;
}
