export type Piece = { readonly kind: 'same' | 'gone' | 'new'; readonly text: string }

/** What became of a text, word by word: the longest words in common stay. */
export function wordChanges(before: string, after: string): readonly Piece[] {
  const [from, to] = [wordsOf(before), wordsOf(after)]
  const isSame = (i: number, j: number) => from[i]!.trim() === to[j]!.trim()
  // How many words the rests have in common.
  const common = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1))
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      common[i]![j] = isSame(i, j)
        ? common[i + 1]![j + 1]! + 1
        : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
    }
  }
  const pieces: Piece[] = []
  const add = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text }
    else pieces.push({ kind, text })
  }
  for (let [i, j] = [0, 0]; i < from.length || j < to.length; ) {
    if (i < from.length && j < to.length && isSame(i, j)) {
      add('same', to[j]!)
      i += 1
      j += 1
    } else if (j === to.length || (i < from.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      add('gone', from[i++]!)
    } else add('new', to[j++]!)
  }
  return pieces
}

/** Each with the white space behind it. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? []
}
