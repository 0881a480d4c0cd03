export function HiddenFields({ fields }: { readonly fields: readonly (readonly [string, string])[] }) {
  return (
    <>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
