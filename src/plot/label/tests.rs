use super::*;

#[test]
fn words_are_set_in_lines() {
    assert_eq!(lines("one two three", 12.0, 60.0), ["one two", "three"]);
    assert_eq!(lines("", 12.0, 60.0), [""; 0]);
    assert_eq!(lines("unbreakable", 12.0, 1.0), ["unbreakable"]);
}

fn short_of(text: &str, kind: Kind) -> String {
    short(text, Number::parse(text).unwrap(), kind)
}

#[test]
fn large_numbers_are_short_and_have_a_name() {
    for (text, expected) in [
        ("0", "0"),
        ("999999", "999,999"),
        ("-12345", "−12,345"),
        ("1000000", "1.00 million"),
        ("2179847574830592", "2.18 quadrillion"),
        ("99960000", "100 million"),
        ("123456789012345678901", "123 quintillion"),
    ] {
        assert_eq!(short_of(text, Kind::Integer), expected);
    }
    let playouts = format!("1302306{}", "0".repeat(72));
    assert_eq!(short_of(&playouts, Kind::Integer), "1.30 × 10⁷⁸");
}

#[test]
fn shares_are_percentages() {
    assert_eq!(short_of("0.514869", Kind::Share), "51.5%");
    assert_eq!(short_of("0.004976", Kind::Share), "0.50%");
    assert_eq!(short_of("0.514869", Kind::Real(6)), "0.514869");
    assert_eq!(short_of("0.000012", Kind::Share), "<0.01%");
    assert_eq!(short_of("0.000000", Kind::Share), "0%");
}

#[test]
fn units_are_multiples_of_three() {
    for (largest, expected, name) in [
        (5, 0, ""),
        (6, 6, " (millions)"),
        (17, 15, " (quadrillions)"),
        (21, 21, " (× 10²¹)"),
        (78, 78, " (× 10⁷⁸)"),
        (-5, -6, " (× 10⁻⁶)"),
    ] {
        assert_eq!(unit(Some(largest), Kind::Integer), expected);
        assert_eq!(unit_name(expected), name);
    }
    assert_eq!(unit(Some(i32::MAX), Kind::Integer) % 3, 0);
}

#[test]
fn ticks_have_thousands_and_a_minus() {
    assert_eq!(tick(-12000.0, 0, 0), "−12,000");
    assert_eq!(tick(-0.0, 1, 0), "0");
    assert_eq!(tick(0.25, 2, -2), "0.25%");
}

#[test]
fn long_names_are_cut() {
    assert_eq!(fit("short", 10.0, 100.0), "short");
    let cut = fit("a name that is far too long", 10.0, 80.0);
    assert!(cut.ends_with('…') && width(&cut, 10.0) <= 80.0, "{cut}");
    assert_eq!(fit("any", 10.0, 0.0), "…");
}
