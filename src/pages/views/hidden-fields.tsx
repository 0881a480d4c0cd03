export function HiddenFields({ fields }: { readonly fields: readonly (readonly [string, string])[] }) {
  return (
    <>
      {fields.map(([name, value], at) => (
        <input key={at} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
