use super::*;

fn number(text: &str) -> Number {
    Number::parse(text).unwrap()
}

#[test]
fn integers_of_any_length_and_reals() {
    assert_eq!(number("24").scaled(0), 24.0);
    assert_eq!(number("-10").scaled(0), -10.0);
    assert_eq!(number("000"), Number::ZERO);
    assert_eq!(number("-0"), Number::ZERO);
    assert!((number("0.514869").scaled(-2) - 51.4869).abs() < 1e-12);
    assert_eq!(number("4233789642926592").scaled(15), 4.233789642926592);
    let playouts = format!("1302{}", "0".repeat(75));
    assert_eq!(number(&playouts).exponent(), Some(78));
    assert!((number(&playouts).scaled(78) - 1.302).abs() < 1e-12);
    let beyond = format!("-5{}", "0".repeat(400));
    assert_eq!(number(&beyond).scaled(400), -5.0);
    assert_eq!(number(&beyond).scaled(0), f64::NEG_INFINITY);
    assert_eq!(number("7").scaled(400), 0.0);
    assert_eq!(number("1e-320").exponent(), Some(-320));
}

#[test]
fn what_is_no_number() {
    for text in ["", "-", "all", "NaN", "inf", "-inf", "1e999", "0x10", "1,000", "１"] {
        assert_eq!(Number::parse(text), None, "{text}");
    }
}

#[test]
fn numbers_are_in_order() {
    let texts = ["-1000", "-12", "-11", "0", "0.001", "0.5", "9", "10", "1e30"];
    for (i, one) in texts.iter().enumerate() {
        for (j, other) in texts.iter().enumerate() {
            assert_eq!(number(one).compare(&number(other)), i.cmp(&j), "{one} {other}");
        }
    }
}

#[test]
fn logarithms() {
    assert_eq!(number("1000").log10(), Some(3.0));
    assert_eq!(number(&format!("1{}", "0".repeat(500))).log10(), Some(500.0));
    assert_eq!(number("0").log10(), None);
    assert_eq!(number("-5").log10(), None);
}
