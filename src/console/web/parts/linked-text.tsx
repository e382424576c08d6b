const links = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'])/

/** A text in which addresses of web pages are links. */
export function LinkedText({ text }: { text: string }) {
  return (
    <>
      {text.split(links).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <a key={at} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        ),
      )}
    </>
  )
}
